"""What everything must do that partitions are carried by."""

from collections.abc import Callable, Iterator

from gossamer.cluster.carrier import Carrier, End, Incarnation, WorkerConnection
from gossamer.cluster.frames import Frame, FrameKind
from gossamer.core.poller import Poller

HELLO = Frame(FrameKind.REPORT, body=b"hello")


class CarrierSuite:
    """A carrier, and what lets the partitions that it carries go on."""

    carrier: Carrier

    def poller(self) -> Poller:
        """What a partition waits with; called by the partition."""
        raise NotImplementedError

    def go_on(self) -> None:
        """Let something happen."""
        raise NotImplementedError

    def _until(self, is_so: Callable[[], bool]) -> None:
        for _ in range(2000):
            if is_so():
                return
            self.go_on()
        raise AssertionError("it did not come to that")

    def _hear(self, life: Incarnation, count: int) -> list[Frame]:
        heard: list[Frame] = []

        def has_all() -> bool:
            heard.extend(life.line.frames())
            return len(heard) >= count

        self._until(has_all)
        return heard

    def _hear_out(self, life: Incarnation) -> list[Frame]:
        """All it says before it ends."""
        heard: list[Frame] = []

        def is_over() -> bool:
            heard.extend(life.line.frames())
            return life.line.is_closed

        self._until(is_over)
        return heard + life.line.drain()

    def _listen(self, line: WorkerConnection, poller: Poller) -> Iterator[Frame | None]:
        while not line.is_closed:
            poller.wait(0.01)
            yield from line.frames() or (None,)

    def test_what_is_said_arrives_in_order(self) -> None:
        def echo(end: End) -> Iterator[None]:
            poller = self.poller()
            line = end.connect(poller)
            line.send(HELLO)
            for frame in self._listen(line, poller):
                if frame is not None and frame.kind == FrameKind.STOP:
                    line.send_last(Frame(FrameKind.REPORT, body=b"bye"), 10.0)
                    return
                if frame is not None:
                    line.send(frame._replace(kind=FrameKind.REPORT))
                yield

        life = self.carrier.start(0, echo)
        for number in range(50):
            life.line.send(Frame(FrameKind.GRANT, number=number))
        life.line.send(Frame(FrameKind.STOP))
        heard = self._hear(life, 52)
        assert heard[0] == HELLO
        assert [frame.number for frame in heard[1:51]] == list(range(50))
        assert heard[51].body == b"bye"
        self._until(lambda: life.line.is_closed)
        assert life.bury() == 0

    def test_what_was_said_before_a_death_is_heard(self) -> None:
        def talk(end: End) -> Iterator[None]:
            line = end.connect(self.poller())
            for number in range(30):
                line.send(Frame(FrameKind.REPORT, number=number))
            yield

        life = self.carrier.start(0, talk)
        heard = self._hear_out(life)
        assert [frame.number for frame in heard] == list(range(30))
        assert life.bury() == 0

    def test_who_is_killed_is_gone(self) -> None:
        def live(end: End) -> Iterator[None]:
            poller = self.poller()
            line = end.connect(poller)
            line.send(HELLO)
            for _ in self._listen(line, poller):
                yield

        life = self.carrier.start(0, live)
        assert self._hear(life, 1) == [HELLO]
        assert not life.line.is_closed
        life.kill()
        self._until(lambda: life.line.is_closed)
        life.line.send(Frame(FrameKind.STOP))  # nobody hears it, and nobody minds
        assert life.bury() == -9

    def test_who_fails_says_why_and_leaves_a_status(self) -> None:
        def fail(end: End) -> Iterator[None]:
            end.say(Frame(FrameKind.FAILED, body=b"no space"))
            raise OSError(28, "no space")
            yield

        life = self.carrier.start(0, fail)
        heard = self._hear_out(life)
        assert [frame.body for frame in heard] == [b"no space"]
        assert life.bury() == 1

    def test_who_is_left_alone_finds_out(self) -> None:
        def wait(end: End) -> Iterator[None]:
            poller = self.poller()
            line = end.connect(poller)
            line.send(HELLO)
            for _ in self._listen(line, poller):
                yield

        life = self.carrier.start(0, wait)
        assert self._hear(life, 1) == [HELLO]
        life.line.close()
        for _ in range(20):
            self.go_on()
        assert life.bury() == 0, "it ended by itself"
