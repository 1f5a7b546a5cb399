"""A wire never waits, and says when connection lost."""

from collections.abc import Iterator
from socket import socketpair

import pytest

from gossamer.cluster.frames import Frame, FrameKind
from gossamer.cluster.wire import Wire
from gossamer.core.poller import Poller

Ends = tuple[Wire, Wire, Poller]


@pytest.fixture
def ends() -> Iterator[Ends]:
    poller = Poller()
    one, other = (Wire(end, poller) for end in socketpair())
    yield one, other, poller
    one.close()
    other.close()
    poller.close()


def test_frames_arrive_in_order_however_large(ends: Ends) -> None:
    one, other, poller = ends
    sent = [Frame(FrameKind.BATCH, 1, number, 0, bytes(300_000)) for number in range(40)]
    for frame in sent:
        one.send(frame)
    assert one.waiting_bytes > 5_000_000, "more than the kernel has room for waits here"
    received: list[Frame] = []
    while len(received) < len(sent):
        assert poller.wait(5.0)
        received += other.frames()
    assert received == sent
    assert one.waiting_bytes == 0


def test_what_was_said_before_the_end_is_heard(ends: Ends) -> None:
    one, other, poller = ends
    one.send(Frame(FrameKind.ACK, 1, 7))
    one.send_last(Frame(FrameKind.REPORT, body=b"bye"), 5.0)
    one.close()
    while not other.is_closed:
        assert poller.wait(5.0)
    assert [frame.kind for frame in other.frames()] == [FrameKind.ACK, FrameKind.REPORT]
    other.send(Frame(FrameKind.STOP))
    assert other.waiting_bytes == 0, "what a closed wire is told is lost"
