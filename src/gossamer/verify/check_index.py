"""The index, and what is not in it yet: sorted runs, and lines in the spool."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
from xxhash import xxh3_64

from gossamer.core.directory import Directory
from gossamer.core.errors import DirectoryError
from gossamer.core.url import parse
from gossamer.core.url.surt import transform_appended
from gossamer.core.whole_files import check_index
from gossamer.output.cdxj import CdxjState, IndexEntry, run_name
from gossamer.output.numbered_files import serial_of
from gossamer.output.spool import read_spool
from gossamer.verify.captures import Captures, CaptureSaid
from gossamer.verify.finding import Finding, attempt, problem
from gossamer.verify.index_against_records import Doubts


class FollowedLines(Protocol):
    """Records that index lines lead to."""

    doubts: Doubts

    def captures(self, file: str) -> Captures: ...

    def is_lost(self, file: str) -> bool:
        """Can what leads there not be judged?"""
        ...

    @property
    def without_line(self) -> int:
        """Captures that no line led to and that should have one."""
        ...


class IndexLook:
    """Follows every line to its capture, then asks which captures no line led to."""

    def __init__(
        self, folder: Path, partitions: Sequence[tuple[Directory, CdxjState | None]]
    ) -> None:
        self._folder = folder
        self._index = folder / "index.cdxj"
        self._partitions = [
            (directory, state) for directory, state in partitions if state is not None
        ]
        self._is_known = len(self._partitions) == len(partitions)
        """Is there something recorded for every partition?"""
        self._is_damaged = False

    def findings(self, archives: FollowedLines) -> Iterator[Finding]:
        self._archives = archives
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
        output = directory.state / "output"
        finding, lines = attempt("index spool", read_spool, output, "index", state.spool)
        self._is_damaged |= lines is None
        if lines is None:
            yield finding
        elif lines:
            finding, count = attempt("index spool", self._follow, sorted(lines))
            self._is_damaged |= count is None
            yield (
                finding
                if count is None
                else Finding("index spool", f"{count} lines are not in the index yet")
            )

    def _inspect_whole(self) -> Iterator[Finding]:
        """Look for captures without a line, unless some lines could not be read."""
        if self._is_damaged:
            return
        count = self._archives.without_line
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
                    raise ValueError("is damaged: its checksum is wrong")
                lines.seek(0)
                count = self._follow(lines)
            if check is None:
                self._check_index()
            return f"{count} lines"

        finding, _ = attempt(what, read)
        self._is_damaged |= finding.is_problem
        return finding

    def _check_index(self) -> None:
        try:
            check_index(self._folder, is_whole=True)
        except DirectoryError:
            self._archives.doubts.forget()
            raise

    def _follow(self, lines: Iterable[bytes]) -> int:
        return follow(lines, self._archives)


def follow(lines: Iterable[bytes], archives: FollowedLines) -> int:
    """Compare every line with its capture; returns how many lines there are."""
    before, number = b"", 0
    for number, line in enumerate(lines, 1):
        if line <= before:
            raise ValueError(f"line {number} is out of order")
        before = line
        file, offset, said, query = _read(line, number)
        if archives.is_lost(file):
            continue
        captures = archives.captures(file)
        capture = captures.find(offset)
        if capture is None:
            raise ValueError(f"line {number} points to no capture")
        if not captures.is_right(capture, said) or not _is_key(line, said, query):
            raise ValueError(f"line {number} does not agree with the record that it points to")
        if not captures.is_declared(capture, said):
            archives.doubts.add(number, file, offset, said)
        captures.meet(capture)
    return number


def _read(line: bytes, number: int) -> tuple[str, int, CaptureSaid, str]:
    """File, offset, what the line says of the capture, and what its key has beside the URL."""
    try:
        _, date, rest = line.split(b" ", 2)
        entry = msgspec.json.decode(rest, type=IndexEntry)
        said = CaptureSaid(
            entry.url, date.decode(), entry.length, entry.status, entry.digest, entry.mime
        )
        query = f"__wb_method={entry.method}" if entry.method else ""
        query += f"&{entry.requestBody}" if entry.requestBody else ""
        return entry.filename, int(entry.offset), said, query
    except ValueError:
        raise ValueError(f"line {number} is not an index entry") from None


def _is_key(line: bytes, said: CaptureSaid, query: str) -> bool:
    """Does it begin with the key that its URL is looked up by, with method and body, if it has these?"""
    url = parse(said.url)
    if url is None:
        return False
    key = transform_appended(url.text, url.host, url.origin, url.path, query) if query else url.surt
    return line.startswith(f"{key} ".encode("utf-8", "replace"))


def _checksum(lines: Iterable[bytes]) -> int:
    check = xxh3_64()
    for line in lines:
        check.update(line)
    return check.intdigest()
