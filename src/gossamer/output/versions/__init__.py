"""The fetch times of each URL, and the number of changes of its content.

In: visits that brought a response. Out: for a key, its first and last visit, how many there were and how
many of them found other content than the one before; later, in batches, for it is a DRUM.

The tables say the same at length, visit by visit. The history is for those who must know it of all URLs and
in one pass: change rates can be estimated from it.

Invariants: what is noted after the last checkpoint is in the journal, so that each visit counts once,
whatever happens. The rule by which visits are joined is associative, since DRUM folds them in any grouping.
"""

from gossamer.output.versions.url_history import History, HistoryStatistics, Past
from gossamer.output.versions.visit_notes import visits_of

__all__ = ["History", "HistoryStatistics", "Past", "visits_of"]
