"""A partition's side of the exchange: a mailbox, questions, and the wire that carries both."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from math import inf
from random import Random

from gossamer.cluster.carrier import WorkerConnection
from gossamer.cluster.frames import Frame, FrameKind
from gossamer.cluster.mailbox import Mailbox
from gossamer.cluster.message_kinds import Message, Question, Topic
from gossamer.cluster.outbox import REMIND_EVERY, Batch
from gossamer.cluster.questions import Questions
from gossamer.core.clock import Clock

Answer = tuple[int, bytes]
"""The number of a question, and what was said."""


class Exchange:
    """Sends and receives for one partition; the rest of the partition never sees a frame.

    `tick` takes in what the wire brought, `receive` hands out messages: their receipt goes recorded
    with the next commit, so they must be dealt with by then.
    """

    def __init__(
        self,
        partition: int,
        partitions: int,
        wire: WorkerConnection,
        mailbox: Mailbox,
        clock: Clock,
        chance: Random,
    ) -> None:
        self.partition = partition
        self.partitions = partitions
        self._wire = wire
        self.mailbox = mailbox
        self._questions = Questions(chance)
        self._clock = clock
        self._next_reminder = clock.now() + REMIND_EVERY
        self._batches: deque[Frame] = deque()
        self._asked: defaultdict[int, list[Question]] = defaultdict(list)
        self._answers: defaultdict[int, list[Answer]] = defaultdict(list)
        self._orders: list[Frame] = []
        self._up: set[int] = set()
        self.on_restart: list[Callable[[int], None]] = []
        """Called with the number of a neighbour that has come up, maybe again."""
        self.before_commit: list[Callable[[], None]] = []
        """Called when messages are about to be recorded: what was collected for them is sent now."""
        self.holds_back: list[Callable[[], bool]] = []
        """Say whether something is being collected."""
        self.is_awaited = False
        """Does a neighbour wait for messages that the next commit releases?"""
        self.heard = 0
        """Frames of neighbours that came in."""

    def send(self, partition: int, topic: int, payload: bytes) -> None:
        """Send a message; it is recorded with the next commit, and is delivered exactly once."""
        self.mailbox.put(partition, topic, payload)

    def send_collected(self) -> None:
        """A commit comes: what was collected for it becomes messages, before they are counted."""
        for send in self.before_commit:
            send()

    def commit(self) -> bytes:
        """Return the note of the mailbox for the journal, with all that was collected."""
        self.send_collected()
        return self.mailbox.commit()

    def receive(self, most: int) -> list[Message]:
        """Messages of whole batches, until there are at least `most` of them or no more are left."""
        found: list[Message] = []
        while self._batches and len(found) < most:
            frame = self._batches.popleft()
            found += self.mailbox.receive(frame.partition, frame.number, frame.body)
        return found

    def ask(self, partition: int, topic: int, payload: bytes) -> int:
        """Ask a neighbour; returns the number that the answer will have."""
        question = self._questions.ask(partition, topic, payload)
        if partition in self._up:
            self._ask(question)
        return question.number

    def asked(self, topic: int) -> list[Question]:
        """Questions of neighbours."""
        return self._asked.pop(topic, [])

    def answer(self, question: Question, payload: bytes) -> None:
        frame = Frame(
            FrameKind.ANSWER, question.partition, question.number, question.topic, payload
        )
        self._wire.send(frame)

    def answers(self, topic: int) -> list[Answer]:
        """The answers of neighbours to our questions."""
        return self._answers.pop(topic, [])

    def orders(self) -> list[Frame]:
        """Frames from the supervisor."""
        found, self._orders = self._orders, []
        return found

    def tick(self) -> None:
        """Take in what came, and send what there is room for."""
        if self._wire.has_frames:
            for frame in self._wire.frames():
                self._take(frame)
        if self._clock.now() >= self._next_reminder:
            self._next_reminder = self._clock.now() + REMIND_EVERY
            self._carry(self.mailbox.remind())
        for partition, number in self.mailbox.to_greet():
            self._wire.send(Frame(FrameKind.GREETING, partition, number))
        for partition, number in self.mailbox.to_acknowledge():
            self._wire.send(Frame(FrameKind.ACK, partition, number))
        self._carry(self.mailbox.to_send())

    @property
    def seconds_to_reminder(self) -> float:
        """Until neighbours are told again what they have not acknowledged."""
        return inf if self.mailbox.is_empty else max(0.0, self._next_reminder - self._clock.now())

    def _carry(self, batches: Iterable[tuple[int, Batch]]) -> None:
        for partition, batch in batches:
            self._wire.send(Frame(FrameKind.BATCH, partition, batch.number, 0, batch.body))

    def call_for_more(self) -> None:
        """Let the neighbours know that there is nothing to do here."""
        for partition in self._up:
            self._wire.send(Frame(FrameKind.HUNGRY, partition))

    @property
    def has_messages(self) -> bool:
        return bool(self._batches)

    @property
    def is_quiet(self) -> bool:
        """Was everything received that was sent, in both directions?

        An open question about a robots.txt does not count: its host may rest for an hour. The owner of that
        host knows the question, and says itself whether it is done. Frames do not overtake each other, so it
        receives the question before the next probe.
        """
        waits = self._batches or self._asked or self._answers
        is_asking = self._questions.is_any_open_but(Topic.ROBOTS)
        is_held = any(holds_back() for holds_back in self.holds_back)
        return not waits and not is_asking and not is_held and self.mailbox.is_empty

    @property
    def questions_asked(self) -> int:
        return self._questions.asked

    def close(self) -> None:
        self.mailbox.close()

    def _take(self, frame: Frame) -> None:
        kind, partition, number, topic, body = frame
        self.heard += kind in _HEARD
        if kind == FrameKind.BATCH:
            self._batches.append(frame)
        elif kind == FrameKind.ACK:
            self.mailbox.acknowledged(partition, number)
        elif kind == FrameKind.GREETING:
            self.mailbox.greeted(partition, number)
        elif kind == FrameKind.QUESTION:
            self._asked[topic].append(Question(partition, number, topic, body))
        elif kind == FrameKind.ANSWER:
            if self._questions.answered(number):
                self._answers[topic].append((number, body))
        elif kind == FrameKind.HUNGRY:
            self.is_awaited = True
        elif kind == FrameKind.UP:
            self._meet(partition)
        else:
            self._orders.append(frame)

    def _meet(self, partition: int) -> None:
        """A neighbour has come up. A restart made it forget our questions, so they are asked again."""
        self._up.add(partition)
        for listener in self.on_restart:
            listener(partition)
        self.mailbox.restarted(partition)
        for question in self._questions.unanswered(partition):
            self._ask(question)

    def _ask(self, question: Question) -> None:
        partition, number, topic, payload = question
        self._wire.send(Frame(FrameKind.QUESTION, partition, number, topic, payload))


_HEARD = frozenset({FrameKind.BATCH, FrameKind.QUESTION, FrameKind.ANSWER})
