"""BEAST: Budget Enforcement with Anti-Spam Tactics (Lee et al., 2008, section 6.2).

URLs over budget are not thrown away but put off, the further the more a domain has of them, so that
a farm of generated pages waits for itself and not the web for the farm. `rounds` decides who waits
for which round, here the records are moved.
"""

from collections.abc import Callable, Sequence

import msgspec
import numpy as np
from msgspec import Struct

from gossamer.policy.budget.queue_protocol import QueueStore, RecordQueue
from gossamer.policy.budget.rounds import OVERFLOW, Pass, Seats

BudgetsOf = Callable[[Sequence[int]], Sequence[int]]
"""From domains to their budgets as they are now."""

_ID = 8
"""Bytes before a record in QF: the number of its domain, for it must be budgeted again."""
_SEATS_CHUNK = 1 << 18


class BeastStatistics(Struct, frozen=True):
    round: int
    """The round being read."""
    queues: int
    """Rounds open at a time: the paper's j."""
    waiting: int
    """Records that wait for a round."""
    overflow: int
    """Records that wait for QF to be split."""


class BeastManifest(Struct, frozen=True):
    stand: Pass
    open_rounds: list[int]
    overflow: int
    """The number of QF, which counts how often it was replaced."""
    is_splitting: bool
    seated_by_split: int
    is_fruitless: bool
    seats: int
    """The size of the table of seats, which keeps it when the settings change."""
    seats_number: int
    """The number of its last copy."""
    released: int


class Beast:
    """Records of bytes in, the same records out, each domain's at most its budget at a time.

    Filled by `file` (from the seen test), emptied by `release` (towards the frontier). Invariants:
    what was filed is in exactly one queue until it is released; one domain has at most its budget
    of records in one round, while others wait; records of one domain come out in the order they
    were filed.

    >>> from gossamer.policy.budget import MemoryQueueStore
    >>> beast = Beast(MemoryQueueStore(), lambda domains: [2] * len(domains), queues=2)
    >>> beast.file([b"a1", b"a2", b"a3", b"b1"], domains=[1, 1, 1, 2])
    >>> beast.next_round()
    >>> beast.release(10)
    [b'a1', b'a2', b'b1']
    """

    def __init__(
        self,
        queue_store: QueueStore,
        budgets_of: BudgetsOf,
        queues: int = 4,
        most_queues: int = 64,
        seats: int = 1 << 16,
        manifest: bytes = b"",
    ) -> None:
        self._queue_store = queue_store
        self._budgets_of = budgets_of
        self._most_queues = most_queues
        self._seats = Seats(seats)
        self._stand = Pass(1, queues, queues)
        self._rounds: dict[int, RecordQueue] = {}
        self._overflow_number = self._seats_number = 0
        self._old_overflow: RecordQueue | None = None
        """The QF that is being split, while it is."""
        self._seated_by_split = 0
        self._is_fruitless = False
        """The last split found a round for nobody."""
        self.released = 0
        """Records released in the current round."""
        if manifest:
            self._restore(msgspec.msgpack.decode(manifest, type=BeastManifest))
        self._overflow = queue_store.open(self._overflow_name())

    # In and out.

    def file(self, records: Sequence[bytes], domains: Sequence[int]) -> None:
        """Take in new records, each with its domain's number."""
        self._is_fruitless = False
        if self._old_overflow is not None:  # they must not overtake what is still in there
            self._old_overflow.append(_with_ids(records, domains))
        else:
            self._seat(records, domains, self._stand.current + 1)

    def release(self, most: int) -> list[bytes]:
        """Up to this many records of the current round."""
        queue = self._rounds.get(self._stand.current)
        records = queue.popleft(most) if queue is not None else []
        self.released += len(records)
        return records

    @property
    def is_round_read(self) -> bool:
        """Has the current round nothing more to give?"""
        return not self._rounds.get(self._stand.current) and not self.is_splitting

    @property
    def is_dry(self) -> bool:
        """Can nothing come out, unless something goes in? QF may hold URLs without any budget."""
        return not any(self._rounds.values()) and (not self._overflowed() or self._is_fruitless)

    def __len__(self) -> int:
        return sum(map(len, self._rounds.values())) + self._overflowed()

    # From round to round.

    def next_round(self) -> None:
        """Go on to the next round; after the last of a pass, begin to split QF."""
        assert self.is_round_read, "the current round has more to give"
        number, is_last = self._stand.current, self._stand.is_last
        if self._rounds.pop(number, None) is not None:
            self._queue_store.drop(_round_name(number))
        self._stand = self._stand.next_round()
        self.released = 0
        if is_last and len(self._overflow):
            self._begin_split()

    @property
    def is_splitting(self) -> bool:
        return self._old_overflow is not None

    def reconsider(self) -> None:
        """Budgets have changed: who had none may have one now."""
        self._is_fruitless = False

    def split(self, most: int) -> None:
        """Give up to this many records of the old QF a round, with the budgets of today, or the new QF."""
        assert self._old_overflow is not None, "QF is not being split"
        batch = self._old_overflow.popleft(most)
        domains = [int.from_bytes(record[:_ID], "little") for record in batch]
        records = [record[_ID:] for record in batch]
        self._seated_by_split += self._seat(records, domains, self._stand.current)
        if not len(self._old_overflow):
            self._end_split()

    def _begin_split(self) -> None:
        self._stand = self._stand.widen(self._most_queues, not any(self._rounds.values()))
        self._seats.readmit()
        self._seated_by_split = 0
        self._old_overflow = self._overflow
        self._overflow_number += 1
        self._overflow = self._queue_store.open(self._overflow_name())

    def _end_split(self) -> None:
        self._queue_store.drop(self._overflow_name(-1))
        self._old_overflow = None
        self._is_fruitless = self._seated_by_split == 0

    def _seat(self, records: Sequence[bytes], domains: Sequence[int], first: int) -> int:
        """Put each record into its round, from `first` on, or QF; returns how many got a round."""
        take, last, scale = self._seats.take, self._stand.last, self._stand.scale
        seated: dict[int, list[bytes]] = {}
        budgets = self._budgets_of(domains)
        for record, domain, budget in zip(records, domains, budgets, strict=True):
            number = take(domain, budget * scale, first, last)
            if number == OVERFLOW:
                record = domain.to_bytes(_ID, "little") + record
            seated.setdefault(number, []).append(record)
        self._overflow.append(overflow := seated.pop(OVERFLOW, []))
        for number, group in seated.items():
            self._round(number).append(group)
        return len(records) - len(overflow)

    def _round(self, number: int) -> RecordQueue:
        queue = self._rounds.get(number)
        if queue is None:
            queue = self._rounds[number] = self._queue_store.open(_round_name(number))
        return queue

    def _overflowed(self) -> int:
        old = self._old_overflow
        return len(self._overflow) + (len(old) if old is not None else 0)

    def _overflow_name(self, step: int = 0) -> str:
        return f"overflow-{self._overflow_number + step}"

    # What survives.

    def checkpoint(self) -> bytes:
        """Put into the queue store what must survive with it; the caller saves the queue store afterwards."""
        self._save_seats()
        return msgspec.msgpack.encode(
            BeastManifest(
                self._stand,
                list(self._rounds),
                self._overflow_number,
                self.is_splitting,
                self._seated_by_split,
                self._is_fruitless,
                self._seats.count,
                self._seats_number,
                self.released,
            )
        )

    def _save_seats(self) -> None:
        self._queue_store.drop(_seats_name(self._seats_number))
        self._seats_number += 1
        data = self._seats.export(self._stand.current).tobytes("F")
        chunks = [data[at : at + _SEATS_CHUNK] for at in range(0, len(data), _SEATS_CHUNK)]
        self._queue_store.open(_seats_name(self._seats_number)).append(chunks)

    def _restore(self, saved: BeastManifest) -> None:
        self._stand, self.released = saved.stand, saved.released
        self._rounds = {
            number: self._queue_store.open(_round_name(number)) for number in saved.open_rounds
        }
        self._overflow_number, self._seats_number = saved.overflow, saved.seats_number
        if saved.is_splitting:
            self._old_overflow = self._queue_store.open(self._overflow_name(-1))
        self._seated_by_split, self._is_fruitless = saved.seated_by_split, saved.is_fruitless
        self._restore_seats(saved.seats)

    def _restore_seats(self, count: int) -> None:
        queue = self._queue_store.open(_seats_name(self._seats_number))
        data = b"".join(queue.popleft(len(queue)))
        self._seats = Seats(count)
        self._seats.restore(np.frombuffer(data, np.uint32).reshape(-1, 3).T)

    def statistics(self) -> BeastStatistics:
        overflow = self._overflowed()
        return BeastStatistics(
            self._stand.current, self._stand.queues, len(self) - overflow, overflow
        )


def _with_ids(records: Sequence[bytes], domains: Sequence[int]) -> list[bytes]:
    return [
        domain.to_bytes(_ID, "little") + record
        for record, domain in zip(records, domains, strict=True)
    ]


def _round_name(number: int) -> str:
    return f"round-{number}"


def _seats_name(number: int) -> str:
    return f"seats-{number}"
