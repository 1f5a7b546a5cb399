"""The desk: takes orders, puts them on record, has them carried out, and only then answers."""

import logging
from collections.abc import Callable
from contextlib import suppress

from gossamer.base.clock import Clock
from gossamer.base.directory import Directory
from gossamer.base.disk.files import Draft
from gossamer.base.errors import GossamerError
from gossamer.base.settings import Settings
from gossamer.crawl.control.checks import catch_up, change, check
from gossamer.crawl.control.entrance import Entrance
from gossamer.crawl.control.in_force import InForce
from gossamer.crawl.control.messages import AskState, Question, Reply, decode_request, encode
from gossamer.crawl.control.order_journal import OrderJournal, OrdersOnRecord, history_of_orders
from gossamer.crawl.control.orders import Order, Ordered, Undo, say
from gossamer.crawl.control.patterns import OrderError
from gossamer.crawl.control.undo import find_undo, inverse

_log = logging.getLogger("gossamer")
_LONGEST_ORIGIN = 200

CarryOut = Callable[[Ordered], None]
"""Does what was ordered; what is in force knows of it already."""


def open_for_stopped(directory: Directory, clock: Clock) -> "Desk":
    """The desk of a crawl that does not run, whose directory is taken here."""
    settings = catch_up(directory.open(), OrdersOnRecord(directory.control))
    directory.write_settings(settings)
    return Desk(directory, settings, clock, is_at_work=False)


class Desk:
    """One for each crawl, in the process that has the directory's lock."""

    def __init__(
        self,
        directory: Directory,
        settings: Settings,
        clock: Clock,
        door: Entrance | None = None,
        *,
        is_at_work: bool = True,
        send_home: Callable[[], None] = lambda: None,
    ) -> None:
        """The settings are those of `crawl.toml` as it is now. `is_at_work`: the crawl runs here.

        `send_home` has orders on record where the crawl has its home, too, if it has one.
        """
        self._is_at_work = is_at_work
        self._directory = directory
        self._clock = clock
        self._door = door
        self._journal = OrderJournal(directory.control)
        self._journal.settle()
        self._send_home = send_home
        if self.in_force.number:
            send_home()
        self._asked: list[tuple[int, Question]] = []
        self._is_settled = True
        """Has `crawl.toml` all settings that were changed?"""
        self.settings = settings
        """With all changes that were ordered."""

    @property
    def in_force(self) -> InForce:
        return self._journal.in_force

    def once_after(self, number: int) -> tuple[Ordered, ...]:
        """Orders that happen once and came after this one."""
        return self._journal.once_after(number)

    def note_done(self, number: int) -> None:
        """All partitions have done what happens once up to this order, and have that on record."""
        self._journal.note_done(number)

    def take(
        self, order: Order, origin: str, carry_out: CarryOut = lambda ordered: None
    ) -> Ordered:
        """Put an order on record, and have it carried out; `GossamerError` if it makes no sense."""
        undoes = 0
        if isinstance(order, Undo):
            given = find_undo(order.number, history_of_orders(self._directory.path))
            assert given.undo is not None, "it was found for that"
            order, undoes = given.undo, given.number
        order = check(order, self.settings, self.in_force)
        settings = change(self.settings, order)
        ordered = self._put_on_record(order, origin, settings, undoes)
        if self._is_at_work:
            _log.info("order %d by %s: %s", ordered.number, ordered.origin, _short(say(order)))
        try:
            self._send_home()
        finally:  # it is on record: whoever resumes the crawl here goes by it
            carry_out(ordered)
        return ordered

    def _put_on_record(self, order: Order, origin: str, settings: Settings, undoes: int) -> Ordered:
        """In the journal and in `crawl.toml`, or in neither, if the disk refuses."""
        has_changed = settings != self.settings
        undo = inverse(order, self.in_force, self.settings)
        try:
            draft = self._directory.draft_settings(settings) if has_changed else None
            try:
                ordered = self._journal.write(
                    *(order, _tame(origin), self._clock.now(), undo, undoes)
                )
            except BaseException:
                if draft is not None:
                    draft.drop()
                raise
        except OSError as error:
            raise OrderError(
                f"{self._directory.path}: {error.strerror or error}; the order was not taken"
            ) from None
        self.settings = settings
        if draft is not None:
            self._publish(draft)
        return ordered

    def _publish(self, draft: Draft) -> None:
        """The order is taken: if `crawl.toml` stays as it was, the journal counts."""
        try:
            draft.publish()
            self._is_settled = True
        except OSError:
            self._is_settled = False

    def turn(self, carry_out: CarryOut) -> None:
        """See to those who came to the door."""
        self._journal.finish_refusal()
        if self._door is not None:
            for client, line in self._door.heard():
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
            self.answer(client, Reply(False, f"this cannot be understood: {error}"))
            return
        if isinstance(request.question, AskState):
            self.answer(client, Reply(True, found={"in_force": self.in_force}))
        elif request.question is not None:
            self._asked.append((client, request.question))
        elif request.order is not None:
            self.answer(client, self._obey(request.order, request.origin, carry_out))
        else:
            self.answer(client, Reply(True, "the crawl runs"))

    def _obey(self, order: Order, origin: str, carry_out: CarryOut) -> Reply:
        try:
            ordered = self.take(order, origin, carry_out)
        except GossamerError as error:
            return Reply(False, str(error))
        return Reply(
            True, f"{_short(say(ordered.order))}: in force", ordered.number, undo=undo_of(ordered)
        )


def undo_of(ordered: Ordered) -> str:
    """The words that take an order back; empty when nothing does."""
    return say(ordered.undo) if ordered.undo is not None else ""


def _tame(origin: str) -> str:
    """Who gave an order, in one short line.

    >>> _tame("browser\\n127.0.0.1"), _tame("")
    ('browser 127.0.0.1', 'unknown')
    """
    words = "".join(one if one.isprintable() else " " for one in origin)
    return " ".join(words.split())[:_LONGEST_ORIGIN] or "unknown"


def _short(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}…"
