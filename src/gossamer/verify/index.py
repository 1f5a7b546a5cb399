"""The index, and what is not in it yet: sorted runs, and lines in the spool."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from xxhash import xxh3_64

from gossamer.base.directory import Directory
from gossamer.harvest.store.cdxj import CdxjState, Entry, run_name
from gossamer.harvest.store.files import serial_of
from gossamer.harvest.store.spool import read_spool
from gossamer.verify.archive import Archives
from gossamer.verify.finding import Finding, attempt, problem


class IndexLook:
    """Follows every line to its capture, then asks which captures no line led to."""

    def __init__(
        self, folder: Path, partitions: Sequence[tuple[Directory, CdxjState | None]]
    ) -> None:
        self._folder = folder
        self._index = folder / "index.cdxj"
        self._partitions = [(one, state) for one, state in partitions if state is not None]
        self._is_known = len(self._partitions) == len(partitions)
        """Is there something on record for every partition?"""
        self._is_damaged = False

    def findings(self, archives: Archives) -> Iterator[Finding]:
        self._archives = archives
        self._without_line = archives.captures()
        if self._index.exists():
            yield self._look("warc/index.cdxj", self._index)
        for directory, state in self._partitions:
            for run in self._runs(directory, state):
                check = state.checks[serial_of(run)]
                yield self._look(f"warc/{run.name}", run, check)
            yield from self._inspect_spool(directory, state)
        if self._is_known:
            yield from self._inspect_whole()

    def _runs(self, directory: Directory, state: CdxjState) -> list[Path]:
        """Runs that were merged go away when they are in the index."""
        number = directory.partition
        runs = [self._folder / run_name(number, serial) for serial in state.runs]
        merged = [self._folder / run_name(number, serial) for serial in state.merged]
        return [*runs, *filter(Path.exists, merged)]

    def _inspect_spool(self, directory: Directory, state: CdxjState) -> Iterator[Finding]:
        harvest = directory.state / "harvest"
        finding, lines = attempt("index spool", read_spool, harvest, "index", state.spool)
        self._is_damaged |= lines is None
        if lines is None:
            yield finding
        elif lines:
            finding, count = attempt("index spool", self._follow, sorted(lines))
            self._is_damaged |= count is None
            yield finding if count is None else Finding("index spool", f"{count} lines wait in it")

    def _inspect_whole(self) -> Iterator[Finding]:
        """Where lines could not be read, nothing is known about those that are missing."""
        if self._is_damaged:
            return
        lost = self._archives.is_lost
        count = sum(len(some) for name, some in self._without_line.items() if not lost(name))
        is_merged = any(
            state.merged and not self._runs(directory, state)
            for directory, state in self._partitions
        )
        if (count or is_merged) and not self._index.exists():
            yield problem("warc/index.cdxj", f"is missing; {count} captures are in no index")
        elif count:
            yield problem("warc/index.cdxj", f"has no line for {count} captures")

    def _look(self, what: str, file: Path, check: int | None = None) -> Finding:
        def read() -> str:
            with file.open("rb") as lines:
                if check is not None and _checksum(lines) != check:
                    raise ValueError("is damaged: its checksum is another one")
                lines.seek(0)
                return f"{self._follow(lines)} lines"

        finding, _ = attempt(what, read)
        self._is_damaged |= finding.is_problem
        return finding

    def _follow(self, lines: Iterable[bytes]) -> int:
        count = 0
        for count, (name, offset) in enumerate(read_places(lines), 1):
            if not self._archives.has_capture(name, offset):
                raise ValueError(f"line {count} leads to no capture")
            self._without_line.get(name, set()).discard(offset)
        return count


def read_places(lines: Iterable[bytes]) -> Iterator[tuple[str, int]]:
    """Where each line of an index leads to; complains of what is no line, or out of order."""
    before = b""
    for count, line in enumerate(lines, 1):
        if line <= before:
            raise ValueError(f"line {count} is out of order")
        yield _place(line, count)
        before = line


def _place(line: bytes, number: int) -> tuple[str, int]:
    try:
        entry = msgspec.json.decode(line.split(b" ", 2)[2], type=Entry)
        int(entry.length)
        return entry.filename, int(entry.offset)
    except (ValueError, LookupError):
        raise ValueError(f"line {number} is no line of an index") from None


def _checksum(lines: Iterable[bytes]) -> int:
    check = xxh3_64()
    for line in lines:
        check.update(line)
    return check.intdigest()
