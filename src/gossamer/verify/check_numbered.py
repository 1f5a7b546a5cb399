"""Numbered files: which of them are recorded, and which are not."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from gossamer.output.numbered_files import serial_of
from gossamer.verify.finding import Finding, problem

_LATER = "begun after the last commit; a resumed crawl writes it again"


class NumberedFiles:
    """The files of a folder, sorted out by a count: those numbered below it are recorded.

    Without a count, when nothing is recorded that could be read, all that are there count.
    """

    def __init__(
        self,
        folder: Path,
        own: str,
        count: int | None,
    ) -> None:
        """`own` is the pattern of these files' names."""
        self._name = folder.name
        self.later: list[Path] = []
        self.known: dict[int, Path] = {}
        for path in sorted(folder.glob(own)):
            serial = read_serial(path)
            if serial is None or serial in self.known:
                continue
            if count is None or serial < count:
                self.known[serial] = path
            else:
                self.later.append(path)
        self.missing = sorted(set(range(count or 0)) - set(self.known))

    @property
    def taken(self) -> set[Path]:
        """All files that belong here."""
        return {*self.known.values(), *self.later}

    def findings(self) -> Iterator[Finding]:
        """Findings about files that are not opened."""
        yield from self.find_missing()
        for path in self.later:
            yield inspect_place(path) or Finding(f"{self._name}/{path.name}", _LATER)

    def find_missing(self) -> Iterator[Finding]:
        for serial in self.missing:
            yield problem(self._name, f"file number {serial} is recorded, but it is missing")


def inspect_place(path: Path) -> Finding | None:
    """The problem with a place where a crawl could not put its file."""
    if path.is_dir():
        return problem(f"{path.parent.name}/{path.name}", "is a folder")
    return None


def find_strangers(
    folder: Path, pattern: str, partitions: Iterable[NumberedFiles]
) -> Iterator[Finding]:
    """Files that look as if they belonged to the crawl, but are no partition's."""
    taken = {path for files in partitions for path in files.taken}
    for path in sorted(folder.glob(pattern)):
        if path not in taken:
            yield problem(f"{folder.name}/{path.name}", "does not belong to this crawl")


def read_serial(path: Path) -> int | None:
    """The number in a file's name; None when there is none."""
    try:
        return serial_of(path)
    except ValueError:
        return None
