"""Which partition is on which machine is told: in logs, in errors, in the status."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from logging import WARNING
from socket import gethostname

import msgspec
import pytest
from msgspec.structs import replace

from gossamer.cli.end_summary import machine_rows, print_summary
from gossamer.cluster.carrier import End, Live
from gossamer.cluster.frames import Frame, FrameKind
from gossamer.cluster.partition_report import Failure
from gossamer.cluster.remote.launcher import Ticket
from gossamer.cluster.remote.remote_carrier import RemoteCarrier
from gossamer.cluster.supervisor import Supervisor
from gossamer.core.clock import SystemClock
from gossamer.core.log_events import ToldLine
from gossamer.core.poller import Poller
from gossamer.engine.summary import NOTHING, MachineShare
from tests.cluster.remote.remote_forks import ForkedIncarnation, Forks
from tests.cluster.test_supervisor import Child, run_until

HERE = gethostname()


class Nodes(Forks):
    """Each incarnation is on another node than the one before."""

    def launch(self, ticket: Ticket, live: Live) -> ForkedIncarnation:
        return super().launch(ticket._replace(node=f"node{len(self.incarnations)}-and-more"), live)


@contextmanager
def far(count: int, run: Callable[[int, End], None]) -> Iterator[Supervisor]:
    def live(number: int, end: End) -> Iterator[None]:
        run(number, end)
        yield

    poller, clock = Poller(), SystemClock()
    carrier = RemoteCarrier(poller, Nodes(), clock, crawl="test", lease=1.0)
    supervisor = Supervisor(
        count, lambda number: partial(live, number), carrier, poller, clock, max_pages=0
    )
    supervisor.start()
    try:
        yield supervisor
    finally:
        supervisor.close()


def test_what_partitions_say_has_their_names_and_machines(caplog: pytest.LogCaptureFixture) -> None:
    def talk(number: int, end: End) -> None:
        child = Child(end)
        told = replace(NOTHING, pages=3 + number, waiting=5, in_flight=1)
        child.report(pages=3 + number, summary=told)
        odd = ToldLine("", "a host is odd", is_aloud=True)
        body = msgspec.msgpack.encode(odd)
        child.wire.send(Frame(FrameKind.SAID, number=WARNING, body=body))
        child.wait_for(FrameKind.STOP)
        child.leave()

    with far(2, talk) as supervisor:
        run_until(supervisor, lambda: caplog.text.count("a host is odd") == 2)
        shares = {
            f"{HERE}/node0-an": MachineShare((0,), 3, 5, 1),
            f"{HERE}/node1-an": MachineShare((1,), 4, 5, 1),
        }
        assert supervisor.machines() == shares
        supervisor.stop("enough")
        run_until(supervisor, lambda: not supervisor.is_running)
        assert supervisor.machines() == shares, "where they were is known in the end, too"
    for number in (0, 1):
        assert f"partition {number} on {HERE}/node{number}-an: a host is odd" in caplog.text


def test_who_dies_is_told_with_its_machine_and_is_on_none(caplog: pytest.LogCaptureFixture) -> None:
    def talk(number: int, end: End) -> None:
        child = Child(end)
        child.report()
        child.wait_for(FrameKind.PAUSE)

    with far(1, talk) as supervisor:
        run_until(supervisor, lambda: bool(supervisor.machines()))
        supervisor.pause(True)  # whereupon it leaves, without having been told to
        run_until(supervisor, lambda: not supervisor.machines())
        assert (
            f"partition 0 on {HERE}/node0-an died (with status 0); it is restarted" in caplog.text
        )
        run_until(supervisor, lambda: [*supervisor.machines()] == [f"{HERE}/node1-an"])


def test_an_error_says_on_which_machine_it_was() -> None:
    def fail(number: int, end: End) -> None:
        failure = msgspec.msgpack.encode(Failure("No space left on device", 28, "/tmp/x"))
        end.say(Frame(FrameKind.FAILED, body=failure))

    with far(1, fail) as supervisor:
        run_until(supervisor, lambda: supervisor.failure is not None)
        assert supervisor.failure is not None
        message = f"partition 0 on {HERE}/node0-an: No space left on device"
        assert (supervisor.failure.message, supervisor.failure.file) == (message, "/tmp/x")


def test_the_status_has_a_row_for_each_machine(capsys: pytest.CaptureFixture[str]) -> None:
    machines = {f"m{number}": MachineShare((number, number + 3), 1200) for number in range(3)}
    summary = replace(NOTHING, machines=machines)
    assert machine_rows(summary, 2) == [
        ("machine", "m0: partitions 0 3; 1,200 pages, 0 waiting, 0 in flight"),
        ("machine", "m1: partitions 1 4; 1,200 pages, 0 waiting, 0 in flight"),
        ("machine", "and 1 more"),
    ]
    print_summary(summary)
    assert "m2: partitions 2 5; 1,200 pages" in capsys.readouterr().out
