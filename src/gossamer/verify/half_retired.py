"""An output of which pages were just being retired.

WARC files, the index and the tables are written again one after the other then, each as a whole. So rows
lead to places that are not there yet, or no more, but every file can be read. A line of the index
always leads to its capture: new WARC files are there before it, and old ones go after it. And the index
has a line for every capture of the files of these partitions that it names.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from gossamer.core.directory import partition_name
from gossamer.verify.captures import Captures
from gossamer.verify.check_archive import read_captures
from gossamer.verify.check_index import IndexLook
from gossamer.verify.finding import Finding, attempt
from gossamer.verify.index_against_records import Doubts
from gossamer.verify.table_file import read_table


class HalfwayLook:
    """Looks at the files of all partitions, of which some were retiring pages."""

    def __init__(
        self, path: Path, index: IndexLook, retiring: Sequence[int], lengths: Mapping[Path, int]
    ) -> None:
        """`lengths` are those that are recorded, of files that more was appended to since."""
        self._index = index
        self._path = path
        self._warc = path / "warc"
        self._retiring = [f"-{partition_name(one)}-" for one in retiring]
        self._lengths = lengths
        self._files: dict[str, Captures] = {}
        self.doubts = Doubts()

    def findings(self) -> Iterator[Finding]:
        for file in sorted(self._warc.glob("*.warc.gz")):
            if self._lengths.get(file) != 0:
                yield attempt(f"warc/{file.name}", self._read, file)[0]
        yield from self._index.findings(self)
        is_whole = True
        for name in ("pages", "links"):
            for file in sorted((self._path / name).glob("*.parquet")):
                finding, rows = attempt(f"{name}/{file.name}", self._read_rows, file)
                is_whole &= rows is not None
                yield finding
        if is_whole:
            yield from self.doubts.findings(self._warc)

    def captures(self, file: str) -> Captures:
        return self._files.get(file) or Captures()

    def is_lost(self, file: str) -> bool:
        return file not in self._files and (self._warc / file).exists()

    @property
    def without_line(self) -> int:
        return sum(map(self._without_line, self._files))

    def _read(self, file: Path) -> str:
        captures = Captures()
        read_captures(file, self._lengths.get(file, file.stat().st_size), captures)
        self._files[file.name] = captures
        return f"{len(captures)} captures"

    def _read_rows(self, file: Path) -> str:
        table = read_table(file)
        if "media_type" in table.column_names:
            self.doubts.settle(table)
        return f"{table.num_rows} rows"

    def _without_line(self, file: str) -> int:
        """Captures that the index leaves out, of a file that it names."""
        found = self._files[file]
        is_named = found.without_line < len(found)
        is_own = any(mark in file for mark in self._retiring)
        return found.without_line if is_named and is_own else 0
