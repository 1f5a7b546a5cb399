"""Full files of a partition that are not on its machine: they are in the crawl's remote storage.

A partition only ever adds to its latest files. Those before take up nearly all of its disk space, and
a resumed crawl does not need them. So a machine may do without them; a note beside them says which ones
they are.
"""

from collections.abc import Iterable
from pathlib import Path

from gossamer.core.disk.disk_files import delete, write_whole
from gossamer.core.whole_files import elsewhere_note, names_elsewhere
from gossamer.output.numbered_files import serial_of


def note_elsewhere(folder: Path, partition: int, names: Iterable[str]) -> None:
    """From now on these files of a partition are looked for elsewhere, and no others."""
    note, lines = elsewhere_note(folder, partition), sorted(names)
    if lines:
        write_whole(note, lambda file: file.write("\n".join(lines).encode()))
    else:
        delete(note)


def serials_elsewhere(folder: Path, partition: int) -> frozenset[int]:
    """The same by their numbers."""
    return frozenset(serial_of(Path(name)) for name in names_elsewhere(folder, partition))
