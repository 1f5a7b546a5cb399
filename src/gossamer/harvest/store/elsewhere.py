"""Full files of a partition that are not on its machine: they lie at the crawl's home.

A partition only ever adds to its newest files. Those before take up nearly all of its room, and nobody who
goes on needs them. So a machine may do without them; a note beside them says which ones they are.
"""

from collections.abc import Iterable
from pathlib import Path

from gossamer.base.disk.files import delete, write_whole
from gossamer.harvest.store.files import serial_of


def note_elsewhere(folder: Path, partition: int, names: Iterable[str]) -> None:
    """From now on these files of a partition are looked for elsewhere, and no others."""
    note, lines = _note(folder, partition), sorted(names)
    if lines:
        write_whole(note, lambda file: file.write("\n".join(lines).encode()))
    else:
        delete(note)


def names_elsewhere(folder: Path, partition: int) -> frozenset[str]:
    """The files of a partition that are not in this folder, by their names."""
    note = _note(folder, partition)
    return frozenset(note.read_text().split("\n")) if note.exists() else frozenset()


def serials_elsewhere(folder: Path, partition: int) -> frozenset[int]:
    """The same by their numbers."""
    return frozenset(serial_of(Path(name)) for name in names_elsewhere(folder, partition))


def _note(folder: Path, partition: int) -> Path:
    return folder / f".elsewhere-{partition:05}"
