"""Numbers looked up on disk, one at a time and at once: key → entries.

DRUM answers late, which suits a stream of URLs that can wait. A caller that needs the answer now, and has
few enough keys for one random access each, asks a `Lookup`: extendible hashing (Fagin et al., ACM TODS
1979) in a mapped file.

In: 64-bit keys that are hashes, each with a 32-bit value; a key may have several values.
Out: the values of a key, at once.

* A *bucket* is one page of the file (4 KB, 340 entries), so that a question costs at most one access to
  the disk (`buckets.py`). A full bucket is split in two; nothing else moves, so there is no pause in which
  a whole table is made larger.
* What is new is collected in memory (`lookup_table.py`), and entered in the order of keys when there is
  enough of it: so each bucket is written rarely. A question looks at both.
* A *sieve* in memory (`sieve.py`) knows most keys that are not there, so that few questions touch a bucket.
* The *directory* says which bucket has the keys of each prefix. It is in memory, and takes less than a
  tenth of a byte for each entry.
* Made again as a whole (`filling.py`), it is filled prefix by prefix, so that each bucket is written once.
* Buckets are mapped while many of them are changed or asked for (`mapped_pages.py`), and let go of
  afterwards. A question about few keys reads the pages that may have them (`paged.py`): so it leaves
  nothing in memory.
* A caller that will ask for several keys one by one says so (`foresee`), and what is entered pair by pair
  (`note`) waits for others: a call for many costs little more than a call for one.

Invariants:

* A lookup is a copy of something that is recorded elsewhere: changing a mapped file is not safe against
  crashes. It is trusted again only when it was closed in good order, at the very state of the record that
  its owner names (`stamp`); otherwise it begins empty (`is_found` is false) and its owner fills it again.
* All buckets are read when it is opened, for the sieve. They are compared with the directory and with the sum
  of the checksums of all entries then: so bytes that were damaged are found out (`damage`) before a kernel
  takes one of them for a place in memory, and the owner fills it again.
* Room on disk is asked for before it is used, so a full disk is an error of the call, never a signal.
* A call that failed may have entered some of its keys; the owner's record says so, by being longer.
"""

from gossamer.core.disk.lookup.lookup import Lookup, LookupStatistics

__all__ = ["Lookup", "LookupStatistics"]
