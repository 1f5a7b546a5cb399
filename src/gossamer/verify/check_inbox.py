"""The inbox: what `gossamer listen` wrote, and how far partitions have read it."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from gossamer.core.disk.disk_files import check_length
from gossamer.core.disk.journal import JournalEnd, is_cut_off, path_of, read_on
from gossamer.core.errors import DamageError
from gossamer.engine.inbox import Announcement, Inbox, read_inbox_state
from gossamer.engine.ledger import Record


def inspect_inbox(folder: Path, records: Sequence[Record]) -> str:
    """Read all files; how many announcements there are. Raises `DamageError` when one cannot be read."""
    numbers = sorted(int(path.stem.rpartition("-")[2]) for path in folder.glob("journal-*.log"))
    for record in records:
        _check_place(folder, record)
    count = sum(_count(folder, number, is_last=number == numbers[-1]) for number in numbers)
    return f"{count} announcements"


def _check_place(folder: Path, record: Record) -> None:
    """Is there as much as a partition has read?"""
    number, length, _ = read_inbox_state(record.latest(Inbox.name)).place
    if length:
        check_length(path_of(folder, number), length)


def _count(folder: Path, number: int, *, is_last: bool) -> int:
    path, end, count = path_of(folder, number), JournalEnd(0, 0), 0
    while True:
        found, reached = read_on(folder, number, end)
        if reached == end:
            break
        for _, data in found:
            _read(path, data)
        count, end = count + len(found), reached
    if not end.length:
        raise DamageError(path, "is not a file of an inbox: its first bytes are wrong")
    has_rest = path.stat().st_size > end.length
    if has_rest and not (is_last and is_cut_off(folder, number, end)):
        raise DamageError(path, f"is damaged at {end.length}; announcements after that are lost")
    return count


def _read(path: Path, data: bytes) -> None:
    try:
        msgspec.msgpack.decode(data, type=Announcement)
    except msgspec.MsgspecError as error:
        raise DamageError(path, f"holds an announcement that cannot be decoded: {error}") from None
