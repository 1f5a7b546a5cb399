"""Retiring pages: their captures leave the archive, their rows stay and say so.

A WARC file of which captures go is written again under another name, gzip member by gzip member, and
all that leads into it follows: the lines of the index, the rows of the pages table. This takes
several files, so a *plan* is written first, which holds all it takes to do it; doing it again after a
crash in between changes nothing:

    plan ─▶ new WARC files ─▶ index ─▶ pages table ─▶ old WARC files go ─▶ commit ─▶ the plan goes

The plan has a number. A commit says which plan was the last; one that comes after it is carried out when
the crawl is resumed.
"""

import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from itertools import accumulate, groupby
from pathlib import Path
from typing import BinaryIO, cast

import msgspec
from isal import igzip_lib
from msgspec import Struct

from gossamer.core.disk.block import pack, unpack
from gossamer.core.disk.disk_files import (
    delete,
    lock_folder,
    open_file,
    read_whole,
    sync_folder,
    write_whole,
)
from gossamer.core.disk.disk_manifest import (
    FileEntry,
    Summing,
    replace_listed,
    sum_file,
    write_summed,
)
from gossamer.core.errors import DamageError
from gossamer.core.parquet import read_columns
from gossamer.output.numbered_files import serial_of
from gossamer.output.parquet_table import write_rows

_COPIED = 1 << 20


class FilePlan(Struct, frozen=True, dict=True):
    """The plan for one WARC file."""

    old: str
    new: str
    introduction: bytes
    """The first member of the new file."""
    begin: int
    """Where the second member of the old file begins."""
    gone: list[tuple[int, int]]
    """Where captures that go begin, each with its request, and where they end; in order."""

    def move(self, offset: int) -> int | None:
        """The offset of a capture in the new file; None when it is gone.

        >>> plan = FilePlan("a", "b", bytes(100), 120, [(120, 150), (200, 220)])
        >>> plan.move(120), plan.move(150), plan.move(300)
        (None, 100, 230)
        """
        place = bisect_left(self.gone, (offset, 0))
        if place < len(self.gone) and self.gone[place][0] == offset:
            return None
        return offset - self._lost[place] - self.begin + len(self.introduction)

    @cached_property
    def _lost(self) -> list[int]:
        """Bytes that go before each of those that go, and in all."""
        return [0, *accumulate(end - begin for begin, end in self.gone)]


class RetirementPlan(Struct, frozen=True):
    number: int
    files: list[FilePlan]
    pages: int
    """Captures that go, and what they take up."""
    records: int
    size: int
    raw_size: int


class Losses(Struct):
    """The records that leave a file."""

    records: int = 0
    size: int = 0
    raw_size: int = 0

    def count(self, members: bytes) -> None:
        self.size += len(members)
        while members:
            inflater = zlib.decompressobj(31)
            self.raw_size += len(inflater.decompress(members))
            self.records += 1
            members = inflater.unused_data


def make_plan(
    number: int,
    folder: Path,
    chosen: Mapping[str, set[int]],
    rename: Callable[[str], str],
    introduce: Callable[[str], bytes],
) -> RetirementPlan:
    """Plan what to do with WARC files, given where the captures begin that are to go."""
    captures = _captures(folder / "index.cdxj", chosen)
    files, losses, pages = [], Losses(), 0
    for old, goners in chosen.items():
        begins = sorted(captures[old])
        ends = [*begins[1:], (folder / old).stat().st_size]
        gone = [(begin, end) for begin, end in zip(begins, ends, strict=True) if begin in goners]
        with open_file(folder / old) as file:
            before = file.read(begins[0])
            for begin, end in gone:
                file.seek(begin)
                try:
                    losses.count(file.read(end - begin))
                except zlib.error:
                    raise DamageError(folder / old, f"is damaged at {begin}") from None
        new = rename(old)
        member = igzip_lib.compress(introduce(new), 2, igzip_lib.COMP_GZIP)
        losses.size += len(before) - len(member)
        files.append(FilePlan(old, new, member, begins[0], gone))
        pages += len(gone)
    return RetirementPlan(number, files, pages, losses.records, losses.size, losses.raw_size)


def _captures(index: Path, files: Iterable[str]) -> dict[str, set[int]]:
    """The offsets of all captures of these files."""
    found: dict[str, set[int]] = {name: set() for name in files}
    with open_file(index) as lines:
        for line in lines:
            _, _, entry = _parse(line, index)
            if entry["filename"] in found:
                found[entry["filename"]].add(int(entry["offset"]))
    return found


def _parse(line: bytes, index: Path) -> tuple[bytes, bytes, dict[str, str]]:
    """The parts of a line of the index."""
    try:
        surt, date, rest = line.split(b" ", 2)
        entry = msgspec.json.decode(rest, type=dict[str, str])
        int(entry["offset"]), entry["filename"]
    except (ValueError, KeyError):
        raise DamageError(index, "has a line that is not an index entry") from None
    return surt, date, entry


def write_plan(path: Path, plan: RetirementPlan) -> None:
    block = pack([msgspec.msgpack.encode(plan)])
    write_whole(path, lambda file: file.write(block))


def read_plan(path: Path) -> RetirementPlan:
    return msgspec.msgpack.decode(unpack(read_whole(path), path)[0], type=RetirementPlan)


def carry_out(plan: RetirementPlan, folder: Path, tables: Path, partition: int) -> list[FileEntry]:
    """Do what a plan says, or what is left of it; returns what is new for the manifest."""
    by_name = {file.old: file for file in plan.files}
    made = []
    for file in plan.files:
        new, name = folder / file.new, f"{folder.name}/{file.new}"
        made.append(
            sum_file(new, name)
            if new.exists()
            else write_summed(new, name, partial(_copy, file, folder))
        )
    with lock_folder(folder):  # other partitions publish their lines there
        _rewrite_index(folder / "index.cdxj", by_name)
    for path in sorted(tables.glob(f"{partition:05}-*.parquet")):
        made += _rewrite_pages(path, by_name)
    # A killed run may have rewritten some whose names are not durable yet.
    sync_folder(tables)
    for file in plan.files:
        delete(folder / file.old)
    sync_folder(folder)
    return made


def _copy(plan: FilePlan, folder: Path, file: Summing) -> None:
    file.write(plan.introduction)
    with open_file(folder / plan.old) as old:
        size = old.seek(0, 2)
        begin = plan.begin
        for gone, end in [*plan.gone, (size, size)]:
            old.seek(begin)
            file.writelines(
                old.read(min(_COPIED, gone - start)) for start in range(begin, gone, _COPIED)
            )
            begin = end


def _rewrite_index(index: Path, plans: Mapping[str, FilePlan]) -> None:
    def fill(file: Summing) -> None:
        with open_file(index) as lines:
            moved = _moved_lines((_parse(line, index) for line in lines), plans)
            # Lines of one URL and one second may change places among each other.
            for _, some in groupby(moved, lambda line: line.split(b" {", 1)[0]):
                file.writelines(sorted(some))

    replace_listed(index, fill)


def _moved_lines(
    lines: Iterable[tuple[bytes, bytes, dict[str, str]]], plans: Mapping[str, FilePlan]
) -> Iterator[bytes]:
    for surt, date, entry in lines:
        plan = plans.get(entry["filename"])
        if plan is not None:
            offset = plan.move(int(entry["offset"]))
            if offset is None:
                continue
            entry["filename"], entry["offset"] = plan.new, str(offset)
        yield b" ".join((surt, date, msgspec.json.encode(entry))) + b"\n"


def _rewrite_pages(path: Path, plans: Mapping[str, FilePlan]) -> list[FileEntry]:
    """Have the rows of a file follow; returns what the manifest says of it, if it has changed.

    It may have changed before a crash, when all that was done is done again.
    """
    listed = f"{path.parent.name}/{path.name}"
    names = read_columns(path, ["warc_file"]).column("warc_file").to_pylist()
    if not any(name in plans for name in names):
        is_done = not {*names}.isdisjoint(plan.new for plan in plans.values())
        return [sum_file(path, listed)] if is_done or _has_retired(path) else []
    from pyarrow import array

    table = read_columns(path)
    offsets, lengths = (table.column(f"warc_{x}").to_pylist() for x in ("offset", "length"))
    retired = table.column("is_retired").to_pylist()
    for row, name in enumerate(names):
        plan = plans.get(name) if name is not None else None
        if plan is None:
            continue
        names[row], offsets[row] = plan.new, plan.move(offsets[row])
        if offsets[row] is None:
            names[row] = lengths[row] = None
            retired[row] = True
    changed = {
        "warc_file": names,
        "warc_offset": offsets,
        "warc_length": lengths,
        "is_retired": retired,
    }
    for name, values in changed.items():
        place = table.schema.get_field_index(name)
        field = table.schema.field(place)
        table = table.set_column(place, field, array(values, field.type))
    return [write_summed(path, listed, lambda file: write_rows(table, cast(BinaryIO, file)))]


def _has_retired(path: Path) -> bool:
    return any(read_columns(path, ["is_retired"]).column("is_retired").to_pylist())


def number_files(chosen: Mapping[int, set[int]], folder: Path, pattern: str) -> dict[str, set[int]]:
    """The same captures, by the names of their files."""
    names = {serial_of(path): path.name for path in folder.glob(pattern)}
    return {names[serial]: offsets for serial, offsets in chosen.items()}
