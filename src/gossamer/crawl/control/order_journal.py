"""The journal of orders, in `state/control/`: who ordered what, and when.

A record is an order, or all that was in force at a moment. The latter stands at the beginning of each file
but the first, and wherever `crawl.toml` has taken over the settings that were changed. So what is in force is
read from few records, and old files are there for the history alone: only the last ones are kept.
"""

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import msgspec
from msgspec.structs import replace

from gossamer.base.directory import Directory, check_is_crawl
from gossamer.base.disk.journal import Journal, find_end, is_cut_off, path_of, replay
from gossamer.base.errors import DamageError
from gossamer.crawl.control.in_force import InForce, fold
from gossamer.crawl.control.orders import ONCE, Order, Ordered

_ORDERED, _IN_FORCE = 1, 2
_LONGEST = 1 << 20
"""Bytes after which another file begins."""
_MOST_FILES = 16
_MOST_ONCE = 1000
"""Orders that happen once and are kept in memory."""

_encode = msgspec.msgpack.Encoder().encode
_decode_ordered = msgspec.msgpack.Decoder(Ordered).decode
_decode_in_force = msgspec.msgpack.Decoder(InForce).decode


class OrderJournal:
    """Written by one process: the one that has the directory's lock."""

    def __init__(self, folder: Path) -> None:
        self.in_force = read_in_force(folder)
        self.once = deque((one for one in _read(folder) if _is_once(one)), _MOST_ONCE)
        """Orders that happen once, the last ones: who was killed meanwhile may not have done them."""
        self._journal = Journal(folder, _first(folder))

    def write(self, order: Order, origin: str, time: float) -> Ordered:
        """When this returns, the order is durable."""
        ordered = Ordered(self.in_force.number + 1, time, origin, order)
        self._journal.append(_ORDERED, _encode(ordered))
        self._journal.commit()
        self.in_force = fold(self.in_force, ordered)
        if isinstance(order, ONCE):
            self.once.append(ordered)
        if self._journal.length > _LONGEST:
            self._begin_file()
        return ordered

    def settle(self) -> None:
        """`crawl.toml` has all settings that were changed: from now on it alone counts."""
        if self.in_force.settings:
            self.in_force = replace(self.in_force, settings={})
            self._note_in_force()

    def close(self) -> None:
        self._journal.close()

    def _begin_file(self) -> None:
        number = self._journal.rotate()
        self._note_in_force()
        self._journal.forget_before(number - _MOST_FILES + 1)

    def _note_in_force(self) -> None:
        self._journal.append(_IN_FORCE, _encode(self.in_force))
        self._journal.commit()


def _is_once(one: Ordered | InForce) -> TypeGuard[Ordered]:
    return isinstance(one, Ordered) and isinstance(one.order, ONCE)


def count_orders(folder: Path) -> int:
    """How many orders are on record; `DamageError` when the journal is not what was written."""
    return sum(isinstance(one, Ordered) for one in _read(folder))


def read_in_force(folder: Path) -> InForce:
    """What is in force by a journal; nothing when there is none. Another process may be writing it."""
    found = InForce()
    for one in _read(folder):
        found = fold(found, one) if isinstance(one, Ordered) else one
    return found


def history_of_orders(path: str | Path) -> list[Ordered]:
    """All orders that a crawl was given, the first one first; very old ones may be gone.

    The crawl may be running.
    """
    directory = Directory(Path(path))
    check_is_crawl(directory.path)
    return [one for one in _read(directory.control) if isinstance(one, Ordered)]


def _read(folder: Path) -> Iterator[Ordered | InForce]:
    _check_whole(folder)
    try:
        for kind, data in replay(folder, _first(folder)):
            yield _decode_ordered(data) if kind == _ORDERED else _decode_in_force(data)
    except msgspec.MsgspecError as error:
        raise DamageError(folder, f"holds an order that cannot be read ({error})") from None


def _check_whole(folder: Path) -> None:
    """A journal that was not written to its end is in order: nobody was answered. Any other is not."""
    files = sorted(folder.glob("journal-*.log")) if folder.exists() else []
    if not files:
        return
    number, end = find_end(folder, _first(folder))
    is_whole = end.length > 0 and is_cut_off(folder, number, end)
    if not is_whole or files[-1] != path_of(folder, number):
        raise DamageError(path_of(folder, number), "does not hold the orders that were written")


def _first(folder: Path) -> int:
    numbers = [int(path.stem.rpartition("-")[2]) for path in folder.glob("journal-*.log")]
    return min(numbers, default=0)
