"""Front queues (priority), back queues (politeness), and what waits.

In: candidates with a priority level. Out: visits, each leased when its host may be asked.

The shape is Mercator's (Heydon and Najork 1999; Introduction to Information Retrieval, 20.2.3):

- F *front queues*, one per priority level, first in first out. Filled by `put`; emptied by the
  *biased pick*, which favours better levels but starves none.
- B *back queues*, each for one host. Filled from the front queues when a back queue is free;
  emptied by `lease`.
- the *host table*, from a host to its back queue.
- the *heap* of the times at which each host may be asked again.

Invariants:
- a URL is in exactly one place: a front queue, a back queue, the waiting room for retries, or leased;
- a host has at most one back queue, and no more leases than it may have connections;
- a host is leased only when its time has come, and keeps its time when its back queue is given up;
- while a back queue is free, the front queues are empty.

Two things differ from Mercator, for the sake of "the right pages first". A back queue hands out
its URLs by level, and only then first in first out: a crawl of one site would otherwise
pour all front queues into one back queue and lose their order. And of all hosts that may be asked now,
the one with the best URL is asked first.
"""

from gossamer.cycle.frontier.addresses import AddressStatistics, AddressTurns
from gossamer.cycle.frontier.disk import DiskFrontier
from gossamer.cycle.frontier.memory import MemoryFrontier
from gossamer.cycle.frontier.politeness import Gap, Rule, choose_gap
from gossamer.cycle.frontier.recovery import Sequel, choose_sequel, is_failure

__all__ = [
    "AddressStatistics",
    "AddressTurns",
    "DiskFrontier",
    "Gap",
    "MemoryFrontier",
    "Rule",
    "Sequel",
    "choose_gap",
    "choose_sequel",
    "is_failure",
]
