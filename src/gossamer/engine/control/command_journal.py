"""The command journal, in `state/control/`: each command, by whom, and when.

A record is a command, all that was active at a moment, or how far commands that happen once are done. The
latter two stand at the beginning of each file; in the first one, the last stands before the first
command. What is active also stands wherever `crawl.toml` has taken over the settings that were changed.
So what counts is read from few records, and old files are there for the history alone: only the last ones
are kept, and those with commands that may still have to be done.

Behind each group stands a watermark (`acknowledgements.py`). Without it nobody was answered, and the
group may be torn. How far the journal had come at an answer stands in `end` beside it: so
one that was deleted, or cut short with its watermarks, is not taken for one that never had these commands.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeGuard

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.core.crawl_identity import check_belongs, identity_of
from gossamer.core.directory import Directory, check_is_crawl
from gossamer.core.disk.disk_files import delete, sync_folder
from gossamer.core.disk.journal import Journal, JournalEnd, find_end, path_of, read_on
from gossamer.core.disk.journal_watermark import END, Watermark, holds, is_whole, read_watermark
from gossamer.core.errors import DamageError, DirectoryError
from gossamer.engine.control.acknowledgements import holds_answer, watermark
from gossamer.engine.control.active_commands import ActiveCommands, fold
from gossamer.engine.control.commands import ONCE, Command, RecordedCommand

_ORDERED, _ACTIVE_COMMANDS, _DONE, _SEAL = 1, 2, 3, 4
_LONGEST = 1 << 20
"""Bytes after which another file begins."""
_MOST_FILES = 16
_WHOLE_FILE = 1 << 62


class _Done(Struct, frozen=True):
    """Commands that happen once are done, recorded in each partition, up to this one."""

    number: int
    crawl: str = ""
    """The identity of the crawl, for this stands at the beginning of each file."""


class _Once(Struct, frozen=True):
    """A command that happens once and may not have happened everywhere."""

    recorded: RecordedCommand
    file: int
    """Where it stands."""


_encode = msgspec.msgpack.Encoder().encode
_decode_recorded_command = msgspec.msgpack.Decoder(RecordedCommand).decode
_decode_active_commands = msgspec.msgpack.Decoder(ActiveCommands).decode
_decode_done = msgspec.msgpack.Decoder(_Done).decode
_Entry = RecordedCommand | ActiveCommands | _Done


class RecordedCommands:
    """The content of a journal, and the part that is left to be done. Another process may be writing it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.active_commands, self._once = ActiveCommands(), list[_Once]()
        self._done = self._noted_done = 0
        self._says_done = False
        """Is it recorded how far commands are done? The version before did not say it."""
        for file, entry in _read(folder):
            self._take(entry, file)
        if self._says_done:
            self._drop_done()
        else:  # all is old: `crawl.toml` counts as it is, and partitions know what they have done
            self._done = self.active_commands.number

    def once_after(self, number: int) -> tuple[RecordedCommand, ...]:
        """Commands that happen once and came after this one."""
        if number < self._done:  # who asks lost its record, and has an older one
            found = (entry for _, entry in _read(self._folder))
            return tuple(one for one in found if _is_once(one) and one.number > number)
        at = bisect_right(self._once, number, key=lambda one: one.recorded.number)
        return tuple(once.recorded for once in self._once[at:])

    @property
    def unfinished(self) -> tuple[RecordedCommand, ...]:
        """Commands that happen once, as long as they may not have happened everywhere."""
        return self.once_after(self._done)

    def _take(self, entry: _Entry, file: int) -> None:
        match entry:
            case RecordedCommand():
                self.active_commands = fold(self.active_commands, entry)
                if _is_once(entry):
                    self._once.append(_Once(entry, file))
            case ActiveCommands():
                self.active_commands = entry
            case _Done(number):
                self._done = self._noted_done = number
                self._says_done = True

    def _drop_done(self) -> None:
        self._once = [once for once in self._once if once.recorded.number > self._done]


class CommandJournal(RecordedCommands):
    """Written by one process: the one that has the directory's lock."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        if not folder.exists():
            folder.mkdir(parents=True)
            sync_folder(folder.parent)
        self._journal = Journal(folder, _first(folder))
        self._reached: Watermark | None = None
        """Made with the first commit: most crawls are never told anything."""

    def write(
        self,
        command: Command,
        origin: str,
        time: float,
        undo: Command | None = None,
        undoes: int = 0,
    ) -> RecordedCommand:
        """Write a command durably; when it fails, nothing of it is there."""
        recorded = RecordedCommand(
            self.active_commands.number + 1, time, origin, command, undo, undoes
        )
        entries: list[tuple[int, _Entry]] = [(_ORDERED, recorded)]
        if not self._says_done:
            entries.insert(0, (_DONE, self._note_of_done()))
        self._commit(entries)
        for _, entry in entries:
            self._take(entry, self._journal.number)
        if self._journal.length > _LONGEST:
            with suppress(OSError):  # the command is recorded; the next one tries again
                self._begin_file()
        return recorded

    def finish_refusal(self) -> None:
        """Take back what was refused, if the disk has not let that happen either."""
        with suppress(OSError):
            self._journal.finish_cut()

    def note_done(self, number: int) -> None:
        """Every partition has done what happens once up to this command. It is recorded in time."""
        if number > self._done:
            self._done = number
            self._drop_done()

    def settle(self) -> None:
        """`crawl.toml` has all settings that were changed: from now on it alone counts."""
        if self.active_commands.settings:
            settled = replace(self.active_commands, settings={})
            self._commit([(_ACTIVE_COMMANDS, settled)])
            self.active_commands = settled

    def close(self) -> None:
        if self._done > self._noted_done:
            self._commit([(_DONE, self._note_of_done())])
        self._journal.close()
        if self._reached is not None:
            self._reached.close()

    def _note_of_done(self) -> _Done:
        return _Done(self._done, identity_of(self._folder.parents[1]))

    def _begin_file(self) -> None:
        following = path_of(self._folder, self._journal.number + 1)
        try:
            number = self._journal.rotate()
        except OSError:
            delete(following)  # it goes on in the old file
            raise
        self._commit([(_ACTIVE_COMMANDS, self.active_commands), (_DONE, self._note_of_done())])
        self._noted_done = self._done
        needed = self._once[0].file if self._once else number
        self._journal.forget_before(min(needed, number - _MOST_FILES + 1))

    def _commit(self, entries: Iterable[tuple[int, _Entry]]) -> None:
        """Make it durable, and then say that it was. What the disk refuses is taken back."""
        before = self._journal.end
        try:
            if self._reached is None:
                self._reached = Watermark(self._journal.folder, (self._journal.number, before))
            self._journal.append_all([(kind, _encode(entry)) for kind, entry in entries])
            self._journal.commit()
            self._journal.append(_SEAL, watermark(self._journal.length))
            self._journal.commit()
        except OSError:
            self._journal.cut_back(before)
            raise
        self._reached.note((self._journal.number, self._journal.end))


def _is_once(one: _Entry) -> TypeGuard[RecordedCommand]:
    return isinstance(one, RecordedCommand) and isinstance(one.command, ONCE)


def count_commands(folder: Path) -> int:
    """The number of recorded commands; `DamageError` when the journal is not what was written."""
    count = sum(isinstance(one, RecordedCommand) for _, one in _read(folder))
    end = folder / END
    if count and not end.exists() and identity_of(folder.parents[1]):
        raise DirectoryError(f"{end} is missing; the next command writes it again")
    if end.exists() and not is_whole(folder):
        raise DirectoryError(f"{end} is damaged; the next command writes it again")
    return count


def read_active_commands(folder: Path) -> ActiveCommands:
    """The active commands of a journal; none when there is no journal. Another process may be writing it."""
    return RecordedCommands(folder).active_commands


def command_history(path: str | Path) -> list[RecordedCommand]:
    """All commands that a crawl was given, the first one first; very old ones may be gone.

    The crawl may be running.
    """
    directory = Directory(Path(path))
    check_is_crawl(directory.path)
    return [one for _, one in _read(directory.control) if isinstance(one, RecordedCommand)]


def _read(folder: Path) -> Iterator[tuple[int, _Entry]]:
    """All that was written, each with the number of its file."""
    files = _check_whole(folder)
    try:
        for file in files:
            records, _ = read_on(folder, file, JournalEnd(0, 0), _WHOLE_FILE)
            for entry in (_decode(*record) for record in records if record[0] != _SEAL):
                if isinstance(entry, _Done):
                    check_belongs(folder.parents[1], path_of(folder, file), entry.crawl)
                yield file, entry
    except msgspec.MsgspecError as error:
        raise DamageError(folder, f"holds a command that cannot be read ({error})") from None


def _decode(kind: int, data: bytes) -> _Entry:
    if kind == _ORDERED:
        return _decode_recorded_command(data)
    return _decode_active_commands(data) if kind == _ACTIVE_COMMANDS else _decode_done(data)


def _check_whole(folder: Path) -> range:
    """The numbers of all files. A group that was not written to its end is none: nobody was answered.

    Another process may write a command, begin a file or forget one meanwhile: it is damage if two looks
    agree.
    """
    answered = read_watermark(folder)  # before the journal: that one has at least as much
    before, found = None, _look(folder)
    while not found.is_whole:
        if found == before:
            raise DamageError(
                path_of(folder, found.last), "does not hold the commands that were written"
            )
        before, found = found, _look(folder)
    if answered is not None and not holds(folder, found.last, found.end, answered):
        path = path_of(folder, answered[0])
        lacks = "does not hold the commands that were written"
        raise DamageError(path, lacks if path.exists() else "is missing")
    return range(found.first, found.last + 1)


class _Look(NamedTuple):
    """The state of a journal at a moment."""

    first: int = 0
    last: int = -1
    end: JournalEnd = JournalEnd(0, 0)
    names: tuple[str, ...] = ()
    is_whole: bool = True


def _look(folder: Path) -> _Look:
    sizes = _sizes(folder)  # what is written from now on does not count
    if not sizes:
        return _Look()
    first = _first(folder)
    last, end = find_end(folder, first)
    path, names = path_of(folder, last), tuple(sorted(sizes))
    is_whole = end.length > 0 and path.name >= names[-1]
    if is_whole:
        try:
            is_whole = not holds_answer(path, end.length, sizes.get(path.name, 0))
        except FileNotFoundError:  # it has just been forgotten
            is_whole = False
    return _Look(first, last, end, names, is_whole)


def _sizes(folder: Path) -> dict[str, int]:
    found = dict[str, int]()
    for path in folder.glob("journal-*.log"):
        with suppress(FileNotFoundError):
            found[path.name] = path.stat().st_size
    return found


def _first(folder: Path) -> int:
    numbers = [int(path.stem.rpartition("-")[2]) for path in folder.glob("journal-*.log")]
    return min(numbers, default=0)
