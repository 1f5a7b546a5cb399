"""The command handler: takes commands, records them, has them carried out, and only then answers."""

import logging
from collections.abc import Callable
from contextlib import suppress

from gossamer.core.clock import Clock
from gossamer.core.directory import Directory
from gossamer.core.disk.disk_files import Draft
from gossamer.core.errors import GossamerError
from gossamer.core.settings import Settings
from gossamer.engine.control.active_commands import ActiveCommands
from gossamer.engine.control.command_checks import catch_up, change, check
from gossamer.engine.control.command_journal import (
    CommandJournal,
    RecordedCommands,
    command_history,
)
from gossamer.engine.control.command_patterns import CommandError
from gossamer.engine.control.commands import Command, RecordedCommand, Undo, say
from gossamer.engine.control.control_messages import (
    AskState,
    Question,
    Reply,
    decode_request,
    encode,
)
from gossamer.engine.control.control_transport import Entrance
from gossamer.engine.control.undo_command import find_undo, inverse

_log = logging.getLogger("gossamer")
_LONGEST_ORIGIN = 200

CarryOut = Callable[[RecordedCommand], None]
"""Does what was ordered; what is active knows of it already."""


def open_for_stopped(directory: Directory, clock: Clock) -> "CommandHandler":
    """The command handler of a crawl that does not run, whose directory is taken here."""
    settings = catch_up(directory.open(), RecordedCommands(directory.control))
    directory.write_settings(settings)
    return CommandHandler(directory, settings, clock, is_at_work=False)


class CommandHandler:
    """One for each crawl, in the process that has the directory's lock."""

    def __init__(
        self,
        directory: Directory,
        settings: Settings,
        clock: Clock,
        door: Entrance | None = None,
        *,
        is_at_work: bool = True,
        send_to_storage: Callable[[], None] = lambda: None,
    ) -> None:
        """The settings are those of `crawl.toml` as it is now. `is_at_work`: the crawl runs here.

        `send_to_storage` has commands recorded where the crawl has its remote storage, too, if it has one.
        """
        self._is_at_work = is_at_work
        self._directory = directory
        self._clock = clock
        self._door = door
        self._journal = CommandJournal(directory.control)
        self._journal.settle()
        self._send_to_storage = send_to_storage
        if self.active_commands.number:
            send_to_storage()
        self._asked: list[tuple[int, Question]] = []
        self._is_settled = True
        """Has `crawl.toml` all settings that were changed?"""
        self.settings = settings
        """With all changes that were ordered."""

    @property
    def active_commands(self) -> ActiveCommands:
        return self._journal.active_commands

    def once_after(self, number: int) -> tuple[RecordedCommand, ...]:
        """Commands that happen once and came after this one."""
        return self._journal.once_after(number)

    def note_done(self, number: int) -> None:
        """All partitions have done what happens once up to this command, and have that recorded."""
        self._journal.note_done(number)

    def take(
        self, command: Command, origin: str, carry_out: CarryOut = lambda recorded: None
    ) -> RecordedCommand:
        """Record a command, and have it carried out; `GossamerError` if it makes no sense."""
        undoes = 0
        if isinstance(command, Undo):
            given = find_undo(command.number, command_history(self._directory.path))
            assert given.undo is not None, "it was found for that"
            command, undoes = given.undo, given.number
        command = check(command, self.settings, self.active_commands)
        settings = change(self.settings, command)
        recorded = self._record_command(command, origin, settings, undoes)
        if self._is_at_work:
            _log.info("order %d by %s: %s", recorded.number, recorded.origin, _short(say(command)))
        try:
            self._send_to_storage()
        finally:  # it is recorded: it takes effect when the crawl is resumed
            carry_out(recorded)
        return recorded

    def _record_command(
        self, command: Command, origin: str, settings: Settings, undoes: int
    ) -> RecordedCommand:
        """In the journal and in `crawl.toml`, or in neither, if the disk refuses."""
        has_changed = settings != self.settings
        undo = inverse(command, self.active_commands, self.settings)
        try:
            draft = self._directory.draft_settings(settings) if has_changed else None
            try:
                recorded = self._journal.write(
                    *(command, _tame(origin), self._clock.now(), undo, undoes)
                )
            except BaseException:
                if draft is not None:
                    draft.drop()
                raise
        except OSError as error:
            raise CommandError(
                f"{self._directory.path}: {error.strerror or error}; the command was not taken"
            ) from None
        self.settings = settings
        if draft is not None:
            self._publish(draft)
        return recorded

    def _publish(self, draft: Draft) -> None:
        """The command is taken: if `crawl.toml` stays as it was, the journal counts."""
        try:
            draft.publish()
            self._is_settled = True
        except OSError:
            self._is_settled = False

    def turn(self, carry_out: CarryOut) -> None:
        """See to those who came to the door."""
        self._journal.finish_refusal()
        if self._door is not None:
            for client, line in self._door.received():
                self._serve(client, line, carry_out)

    def asked(self) -> list[tuple[int, Question]]:
        """Questions that came, each with the number of its client, for `answer`."""
        found, self._asked = self._asked, []
        return found

    def answer(self, client: int, answer: Reply) -> None:
        if self._door is not None:
            self._door.say(client, encode(answer))

    def close(self) -> None:
        """The crawl ends. `crawl.toml` has all settings that were changed; if not, the journal counts."""
        if self._door is not None:
            self._door.close()
        with suppress(OSError):
            if not self._is_settled:
                self._directory.write_settings(self.settings)
            self._journal.settle()
            self._journal.close()

    def leave(self) -> None:
        """A copy of the process (fork) has no business here."""
        if self._door is not None:
            self._door.leave()

    def _serve(self, client: int, line: bytes, carry_out: CarryOut) -> None:
        try:
            request = decode_request(line)
        except ValueError as error:  # of msgspec, or text that is not UTF-8
            self.answer(client, Reply(False, f"the request is not valid: {error}"))
            return
        if isinstance(request.question, AskState):
            self.answer(client, Reply(True, found={"active_commands": self.active_commands}))
        elif request.question is not None:
            self._asked.append((client, request.question))
        elif request.command is not None:
            self.answer(client, self._execute(request.command, request.origin, carry_out))
        else:
            self.answer(client, Reply(True, "the crawl runs"))

    def _execute(self, command: Command, origin: str, carry_out: CarryOut) -> Reply:
        try:
            recorded = self.take(command, origin, carry_out)
        except GossamerError as error:
            return Reply(False, str(error))
        return Reply(
            True,
            f"{_short(say(recorded.command))}: active",
            recorded.number,
            undo=undo_of(recorded),
        )


def undo_of(recorded: RecordedCommand) -> str:
    """The words that take a command back; empty when nothing does."""
    return say(recorded.undo) if recorded.undo is not None else ""


def _tame(origin: str) -> str:
    """The origin of a command, in one short line.

    >>> _tame("browser\\n127.0.0.1"), _tame("")
    ('browser 127.0.0.1', 'unknown')
    """
    words = "".join(one if one.isprintable() else " " for one in origin)
    return " ".join(words.split())[:_LONGEST_ORIGIN] or "unknown"


def _short(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}…"
