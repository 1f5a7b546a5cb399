"""DRUM: disk repository with update management (IRLbot, Lee et al., WWW 2008, section 4.3).

Pairs ⟨key, value⟩ by the hundred million, of which each may be checked, updated, both, or deleted, all
mixed in one stream. A disk cannot look up single keys at that rate; but it can read and write long
stretches. So DRUM lets operations wait, sorts them by key prefix, and carries out very many of them in
one sequential pass over a sorted repository.

In: batches of operations, each with auxiliary bytes that it wants back (`Drum.check_update` …).
Out: answers in the order of arrival, with those bytes (`Drum.answers`), as soon as they are known.

Two states of the same structure:

* *Resident* (`resident.py`): all pairs fit into a hash table in memory, and answers come at once.
* *On disk* (`on_disk.py`): operations are collected in an epoch (`epoch.py`): in a log in the order they
  came, and in k buckets by key prefix. When the largest bucket holds r operations, or enough bytes wait,
  the epoch is closed, and a pass (`merge.py`) takes one bucket after the other: reads it, sorts it
  (`drum_batch.py`), reads the repository's stretch with the same prefix (`repository.py`), works out what
  each operation meets and leaves behind (`resolve.py`), and writes the stretch of the next generation.
  Then the answers come out by reading the log once more (`answered.py`).

Invariants:

* Each operation is answered as if all had been carried out one by one, in the order they came; where
  epochs begin and end makes no difference.
* An operation is accepted whole or not at all. When the disk fails, the error comes out of the call, nothing
  of its batch was taken, and the call can be repeated.
* The log holds all that an epoch knows, with a checksum for each block; the buckets are a copy that
  can be made again.
* A generation of the repository is never changed, and stays until no checkpoint names it.
* Memory is bounded by the plan (`drum_sizes.py`), which is made from one number.

Keys are hashes, so that prefixes spread evenly. With other keys the answers are the same, only later.
"""

from gossamer.core.disk.drum.drum import Drum, DrumStatistics
from gossamer.core.disk.drum.drum_answers import BYTES, Answers, Codec
from gossamer.core.disk.drum.drum_sizes import DrumPlan
from gossamer.core.disk.drum.operations import Operation
from gossamer.core.disk.drum.update_rules import Rule

__all__ = ["BYTES", "Answers", "Codec", "Drum", "DrumPlan", "DrumStatistics", "Operation", "Rule"]
