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
- a URL is in exactly one place: a front queue, a back queue, the waiting room for later, the express,
  or leased;
- a host has at most one back queue, and no more leases than it may have connections;
- a host is leased only when its time has come, and keeps its time when its back queue is given up;
- no more than B hosts are leased; while fewer than B are leased or allowed to be asked, the front
  queues are empty or being emptied;
- a visit that others wait for is leased as soon as its host's time has come and it has a connection free.

*Never idle.* A back queue is taken by a host that is leased or may be asked now. A host that rests or is
on hold gives it up, and keeps its URLs and its time; otherwise some thousand names on one server, or
without a name server that answers, would keep everybody else waiting. So when `lease` has nothing to
give, then either B hosts are leased, which are three times as many as there are transfers, and the ring
waits for these; or all front queues were looked through to the end, so that every host with a waiting
URL is in the host table, and each of them rests, is leased or is on hold. The price is that any number
of hosts may be on hold: each costs a few hundred bytes when memory is short, just like one that
rests. Looking through long front queues is done some thousand
URLs at a time, and `next_ready` says that there is more to look through; each URL passes
from a front queue to its host once, so the work per URL is bounded too.

*One origin of several.* A host may have several origins, say http and https, and one of them may not be
asked for a while because its robots.txt fails. Its URLs are leased and *postponed*, one by one: they wait
with the retries, in bounded memory, and the host's other URLs have their turn.

*The express* (`urgent.py`). A host can be on hold for a robots.txt that was moved, perhaps to the same
host. A visit with a level below 0 is one that others wait for like this. It goes past the front
queues, does not count among the B, and the hold of another visit does not stop it; its own does. It still
is as polite as any other.

Two things differ from Mercator, for the sake of "the right pages first". A back queue hands out
its URLs by level, and only then first in first out: a crawl of one site would otherwise
pour all front queues into one back queue and lose their order. And of all hosts that may be asked now,
the one with the best URL is asked first.

The frontier is on disk (`disk_frontier.py`), with a window of it in memory:

    put ─▶ front queues ─▶ host table ─▶ lease  retry, postpone ─▶ later ─▶ put
           a FIFO queue    a heap per host, in                     by time, the
           per level       memory or as a bundle                   overflow in chunks

(`front_queues.py`, `frontier_hosts.py`, `try_again_later.py`)

- A URL is a few dozen bytes (`waiting_url.py`) from `put` to `lease`, never an object.
- The URLs of a host stand in one heap (`waiting_host.py`). A level with many of them has a *line*
  (`waiting_line.py`) with its head in memory and the rest in chunks on disk, which the hosts share, so a
  host with ten million URLs takes up as little memory as others.
- When the memory is full, the host that has been in it longest is *parked*: its URLs go to disk as one
  *bundle*, and of itself stay its time, its best level and one address. Who is to be asked when
  (`frontier_turns.py`, `calendar.py`) is a matter of names only, and does not care.
- URLs move to other levels in batches (`level_changes.py`, `level_moves.py`): when enough are to move, all
  that waits is looked through once.
- All writing happens before anything is changed, so a full disk leaves no URL in two places or none.
- A checkpoint syncs the queues and writes what is in memory to a snapshot (`frontier_snapshot.py`); of
  parked and resting hosts, of which there are many, those that changed (`hosts_on_disk.py`). A leased URL
  counts as waiting, a hold ends, and a visit that others wait for (level below 0) is dropped, because
  those others are gone after a restart and ask again.
"""

from gossamer.pipeline.frontier.address_turns import AddressState, AddressStatistics, AddressTurns
from gossamer.pipeline.frontier.after_crash import UNSEEN, delay_known_hosts, delay_unknown_hosts
from gossamer.pipeline.frontier.backoff import Sequel, choose_sequel, is_failure, may_be_done
from gossamer.pipeline.frontier.disk_frontier import DiskFrontier, LevelShare
from gossamer.pipeline.frontier.politeness import DelayRule, HostDelay, choose_delay

__all__ = [
    "UNSEEN",
    "AddressState",
    "AddressStatistics",
    "AddressTurns",
    "DelayRule",
    "DiskFrontier",
    "HostDelay",
    "LevelShare",
    "Sequel",
    "choose_delay",
    "choose_sequel",
    "delay_known_hosts",
    "delay_unknown_hosts",
    "is_failure",
    "may_be_done",
]
