"""The durable record of a partition: a journal, and now and then a checkpoint.

About once a second there is a *group commit*: each component with state says what is to be noted, the output
among them, which is durable by then. The journal takes in all notes, and the progress last. A visit is done
when its group is in the journal.

Now and then there is a *checkpoint*: each component makes itself durable, and one small file is replaced that
says how to find them. After a crash they are opened as they were at the checkpoint, and what the journal
noted since is done again: ended visits are not leased, found URLs are offered once more, which changes
nothing for those already known.

    state/
      lock           held by the process that crawls
      status.json    for people; timeline: how that went over time
      inbox/         what others announce, for all partitions
      00000/         one folder per partition
        checkpoint   how to find the rest; there from the beginning
        journal/     notes since the checkpoint
        frontier/  seen/  budget/  content/  held/  order/  history/  output/  exchange/
"""

import struct
from collections.abc import Mapping
from pathlib import Path
from struct import Struct as Layout
from typing import Protocol
from zlib import crc32

import msgspec
from msgspec import Struct

from gossamer.core.disk.disk_files import read_whole, sync_file, sync_folder, write_whole
from gossamer.core.disk.journal import Journal, replay
from gossamer.core.disk.journal_watermark import Reached, Watermark, check_journal, read_watermark
from gossamer.core.errors import DamageError, DirectoryError, GossamerError

FORMAT = 7
"""The version of everything in `state/`. It changes when an older Gossamer could not read it."""

_NOTE, _PROGRESS = 1, 2

_HEAD = Layout("<4sII")
_MAGIC = b"GOSC"
_encode = msgspec.msgpack.Encoder().encode
_decode_note = msgspec.msgpack.Decoder(tuple[str, bytes]).decode


class Progress(Struct, frozen=True, omit_defaults=True):
    """The progress of a crawl at a commit."""

    time: float = 0.0
    """When that was, in seconds since 1970."""
    seconds: float = 0.0
    """For how long it had run, all runs together."""
    in_flight: dict[str, float] = {}
    """Hosts that were being asked, and since when."""
    is_clean: bool = False
    """Nothing came after it: the crawl was stopped, it did not crash."""
    ended_by: str = ""
    """Why it was stopped."""
    manner: str = ""
    """A number for the settings by which seeds were found and asked."""
    unseen: float = 2.0
    """Visits may have begun until this many seconds after the commit."""


class Checkpoint(Struct, frozen=True):
    """The places of everything that is not in the journal."""

    number: int = 0
    """The journal goes on from the file of this number."""
    components: dict[str, bytes] = {}
    """What each component returned, by its name."""
    progress: Progress = Progress()


class Record(Struct, frozen=True):
    """The last checkpoint, and what the journal noted since."""

    checkpoint: Checkpoint
    noted: dict[str, list[bytes]]
    """The notes of each component, commit by commit."""
    progress: Progress
    repair: str = ""
    """What is damaged, if it can be made again from what is not."""

    def state(self, component: str) -> bytes:
        """The state of a component at the checkpoint; empty for a new one."""
        return self.checkpoint.components.get(component, b"")

    def notes(self, component: str) -> list[bytes]:
        """The notes of a component since the checkpoint."""
        return self.noted.get(component, [])

    def latest(self, component: str) -> bytes:
        """The last note of a component that notes at each commit how to find its whole state."""
        return self.notes(component)[-1] if self.notes(component) else self.state(component)


class SecondPlace(Protocol):
    """A second place where all is that is recorded, such as a home on other machines."""

    def ship(self, *, is_checkpoint: bool = False, is_last: bool = False) -> None:
        """All files are there, as they are now, when this returns."""


class Ledger:
    """Writes the record of one partition; `Ledger.read` finds it again."""

    def __init__(self, folder: Path, number: int = 0, second: SecondPlace | None = None) -> None:
        """With a second place, nothing counts as recorded before it is there, too."""
        self._folder = folder
        self._second = second
        self._journal = Journal(folder / "journal", number)
        self._watermark = Watermark(self._journal.folder, self._reached)

    @property
    def length(self) -> int:
        """Bytes in the journal since the last checkpoint, roughly."""
        return self._journal.length

    def commit(self, notes: Mapping[str, bytes], progress: Progress) -> None:
        """Record what the components noted. What the notes refer to must be durable before this."""
        records = [(_NOTE, _encode((component, note))) for component, note in notes.items() if note]
        self._journal.append_all([*records, (_PROGRESS, _encode(progress))])
        self._journal.commit()
        self._watermark.note(self._reached)
        if self._second is not None:
            self._second.ship()

    def rotate(self) -> int:
        """Begin the journal's next file; the number is the checkpoint's."""
        number = self._journal.rotate()
        self._watermark.note(self._reached)
        return number

    def publish(self, checkpoint: Checkpoint) -> None:
        """Replace the checkpoint. When this returns, files that only the former named can go."""
        _write(checkpoint, self._folder)
        self._journal.forget_before(checkpoint.number)
        if self._second is not None:
            self._second.ship(is_checkpoint=True, is_last=bool(checkpoint.progress.ended_by))

    def close(self) -> None:
        try:
            self._journal.close()
        finally:
            self._watermark.close()

    @property
    def _reached(self) -> Reached:
        return self._journal.number, self._journal.end

    @staticmethod
    def begin(folder: Path) -> None:
        """Begin the record of a partition in its folder: from now on a checkpoint and a journal are there."""
        _write(Checkpoint(), folder)
        Ledger(folder).close()

    @staticmethod
    def secure(folder: Path) -> None:
        """Make the record on disk durable, before files are deleted that only an earlier record needs.

        The process that wrote it may have been killed before it did so, and the power may fail next.
        """
        for path in (folder / "journal").glob("journal-*.log"):
            sync_file(path)
        for names in (folder, folder / "journal"):
            if names.is_dir():
                sync_folder(names)

    @staticmethod
    def read(folder: Path) -> Record:
        """The last checkpoint, and what came after it; `DamageError` when that is not all there."""
        return _gather(folder / "journal", Ledger.read_checkpoint(folder))

    @staticmethod
    def has_commits(folder: Path) -> bool:
        """Was anything recorded? It may have been where the disk does not say."""
        try:
            return bool(Ledger.read(folder).progress.time)
        except (OSError, GossamerError):
            return True

    @staticmethod
    def read_checkpoint(folder: Path) -> Checkpoint:
        """The last checkpoint."""
        path = folder / "checkpoint"
        if not path.exists() and _is_of_before(folder / "journal"):
            raise DirectoryError(
                f"{folder} was written by an earlier version of Gossamer (before format 4); "
                "continue with that version"
            )
        if not path.is_file():
            raise DamageError(path, "is missing: it records the progress of the crawl")
        return _open(path)


def _is_of_before(journal: Path) -> bool:
    """Was it written before format 4, when a crawl had no checkpoint until its first one was due?"""
    return (journal / "journal-000000.log").exists() and read_watermark(journal) is None


def _write(checkpoint: Checkpoint, folder: Path) -> None:
    data = _encode(checkpoint)
    head = _HEAD.pack(_MAGIC, FORMAT, crc32(data))
    write_whole(folder / "checkpoint", lambda file: file.write(head + data))


def _open(path: Path) -> Checkpoint:
    data = read_whole(path)
    try:
        magic, version, checksum = _HEAD.unpack_from(data)
    except struct.error:
        magic, version, checksum = b"", 0, 0
    if magic == _MAGIC and version != FORMAT:
        raise DirectoryError(
            f"{path} was written by another version of Gossamer (format {version}, this one reads "
            f"{FORMAT}); continue with that version"
        )
    body = data[_HEAD.size :]
    if magic != _MAGIC or crc32(body) != checksum:
        raise DamageError(path, "is damaged")
    return msgspec.msgpack.decode(body, type=Checkpoint)


def _gather(folder: Path, checkpoint: Checkpoint) -> Record:
    """Read the journal. Only whole groups are in it: the progress is the last of each."""
    noted: dict[str, list[bytes]] = {}
    progress = checkpoint.progress
    repair = check_journal(folder, checkpoint.number)
    for kind, payload in replay(folder, checkpoint.number):
        if kind == _NOTE:
            component, note = _decode_note(payload)
            noted.setdefault(component, []).append(note)
        elif kind == _PROGRESS:
            progress = msgspec.msgpack.decode(payload, type=Progress)
    return Record(checkpoint, noted, progress, repair)
