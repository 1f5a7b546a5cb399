"""Numbered files: which of them are on record, and which are not."""

from collections.abc import Iterator
from pathlib import Path

from gossamer.harvest.store.files import serial_of
from gossamer.inspection.finding import Finding, problem


class NumberedFiles:
    """The files of a folder, sorted out by a count: those numbered below it are on record.

    Without a count, when nothing is on record that could be read, all that are there count.
    """

    def __init__(self, folder: Path, own: str, pattern: str, count: int | None) -> None:
        self._name = folder.name
        self._later: list[Path] = []
        self.known: dict[int, Path] = {}
        found = sorted(folder.glob(own))
        for path in found:
            serial = _serial(path)
            if serial is None or serial in self.known:
                continue
            if count is None or serial < count:
                self.known[serial] = path
            else:
                self._later.append(path)
        taken = {*self.known.values(), *self._later}
        self._foreign = sorted(path for path in folder.glob(pattern) if path not in taken)
        self.missing = sorted(set(range(count or 0)) - set(self.known))

    def findings(self) -> Iterator[Finding]:
        """What is to be said about files that are not looked into."""
        for serial in self.missing:
            yield problem(self._name, f"file number {serial} is on record, but missing")
        for path in self._foreign:
            yield problem(f"{self._name}/{path.name}", "is no file of this crawl")
        for path in self._later:
            said = "begun after the last commit; a resumed crawl begins it anew"
            yield Finding(f"{self._name}/{path.name}", said)


def _serial(path: Path) -> int | None:
    try:
        return serial_of(path)
    except ValueError:
        return None
