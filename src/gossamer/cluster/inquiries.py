"""Questions to a crawl of several partitions: each is asked, and their answers become one."""

from msgspec import Struct

from gossamer.cluster.supervisor import Supervisor
from gossamer.core.clock import Clock
from gossamer.engine.control.command_handler import CommandHandler
from gossamer.engine.control.control_messages import Question, Reply
from gossamer.engine.live_queries import AskedFrame, Found, decode_found, encode_asked, merge

_TIMEOUT = 5.0
"""Seconds after which the answers that came are enough."""
_MOST = 100
"""Questions at a time."""


class Inquiry(Struct):
    """A question that partitions are answering."""

    client: int
    question: Question
    deadline: float
    waiting: set[int] | None = None
    """Partitions that have not answered; None while they are not asked, for not all of them are up."""
    found: list[Found] = []


class Inquiries:
    """Filled from the command handler, emptied to it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._open: dict[int, Inquiry] = {}
        self._numbers = 0

    def turn(self, command_handler: CommandHandler, supervisor: Supervisor) -> None:
        """Pass questions on, and answers back. Who does not answer in time is left out."""
        for client, question in command_handler.asked():
            self._take(client, question, command_handler)
        if self._open and supervisor.is_complete:
            self._ask(supervisor)
        for number, partition, body in supervisor.take_found():
            if (inquiry := self._open.get(number)) is not None:
                found = decode_found(body).found
                (inquiry.waiting or set()).discard(partition)
                inquiry.found += [found] if found is not None else []
        if self._open:
            self._close_those_that_are_over(command_handler)

    def _take(self, client: int, question: Question, command_handler: CommandHandler) -> None:
        if len(self._open) >= _MOST:
            command_handler.answer(
                client, Reply(False, "too many questions at a time; ask again later")
            )
            return
        self._numbers += 1
        self._open[self._numbers] = Inquiry(client, question, self._clock.now() + _TIMEOUT)

    def _ask(self, supervisor: Supervisor) -> None:
        for number, inquiry in self._open.items():
            if inquiry.waiting is None:
                body = encode_asked(AskedFrame(inquiry.question))
                inquiry.waiting = supervisor.ask_all(number, body)

    def _close_those_that_are_over(self, command_handler: CommandHandler) -> None:
        now = self._clock.now()
        for number, inquiry in [*self._open.items()]:
            if inquiry.waiting == set() or now >= inquiry.deadline:
                del self._open[number]
                said = (
                    f"no answer from partitions {sorted(inquiry.waiting)}"
                    if inquiry.waiting
                    else ""
                )
                said = "the partitions are starting" if inquiry.waiting is None else said
                command_handler.answer(
                    inquiry.client, Reply(True, said, found=merge(inquiry.found, inquiry.question))
                )
