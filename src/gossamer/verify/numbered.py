"""Numbered files: which of them are on record, and which are not."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from gossamer.harvest.store.files import serial_of
from gossamer.verify.finding import Finding, problem


class NumberedFiles:
    """The files of a folder, sorted out by a count: those numbered below it are on record.

    Without a count, when nothing is on record that could be read, all that are there count.
    """

    def __init__(
        self,
        folder: Path,
        own: str,
        count: int | None,
        later: str = "begun after the last commit; a resumed crawl writes it again",
    ) -> None:
        """`own` is the pattern of these files' names; `later` says what the others are."""
        self._name = folder.name
        self._said_of_later = later
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
        """What is to be said about files that are not looked into."""
        for serial in self.missing:
            yield problem(self._name, f"file number {serial} is on record, but it is missing")
        for path in self.later:
            what = f"{self._name}/{path.name}"
            is_in_the_way = path.is_dir()  # no crawl can put its file there
            yield (
                problem(what, "is a folder")
                if is_in_the_way
                else Finding(what, self._said_of_later)
            )


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
