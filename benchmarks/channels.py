"""What carries a batch from one node to another: a line of frames, or Ray's own channels.

    python -m tools.loopback_only python -m benchmarks.channels [--count 3000]

Batches of three sizes (a question, a hundred links, a burst of them) go from one partition to another: over a
line through the supervisor, as Gossamer does it; by a call of a Ray actor by another one on another node; and
as an object of Ray's store, of which the call has the number. At most 64 of them are under way. Then one
batch is sent and answered at a time (`round trip`). Processor time is that of all processes, Ray's included,
without what Ray takes when nothing happens.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY, create_connection, create_server, socket
from statistics import median
from typing import Any

import msgspec
from tests.cluster.remote.ray_cluster import Cluster
from tools.loopback_only import networks

from benchmarks.process_tree import cpu_of
from benchmarks.report import Row, print_rows
from gossamer.cluster.frames import Frame, FrameKind
from gossamer.cluster.wire import Wire
from gossamer.core.poller import Poller

SIZES = {"a question, 150 bytes": 150, "100 links, 4 kB": 4000, "a burst, 100 kB": 100_000}
_WINDOW = 64
_TURNS = 200
"""Round trips."""
_IDLE = 5.0


class Sender:
    """An actor that sends to another one, in calls or as objects."""

    def call(self, other: Any, size: int, count: int, window: int) -> list[float]:
        return self._send(lambda data: other.take.remote(data), size, count, window)

    def put(self, other: Any, size: int, count: int, window: int) -> list[float]:
        import ray

        return self._send(lambda data: other.take.remote(ray.put(data)), size, count, window)

    def _send(
        self, send: Callable[[bytes], Any], size: int, count: int, window: int
    ) -> list[float]:
        import ray

        under_way, times = [], []
        for _ in range(count):
            began = time.monotonic()
            under_way.append(send(os.urandom(size)))
            if len(under_way) >= window:
                _, under_way = ray.wait(under_way, num_returns=1)
            times.append(time.monotonic() - began)
        ray.get(under_way)
        return times


class Receiver:
    def take(self, data: bytes) -> int:
        return len(data)


def measure_ray(count: int) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="r") as folder:
        cluster = Cluster(Path(folder), 2)
        try:
            cluster.open()
            yield from _measure_ray(cluster, count)
        finally:
            cluster.close()


def _measure_ray(cluster: Cluster, count: int) -> Iterator[Row]:
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    nodes = [one["NodeID"] for one in ray.nodes() if one["Resources"].get("CPU")]
    sender, receiver = (
        ray.remote(num_cpus=0.1)(kind)
        .options(scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False))
        .remote()
        for kind, node in zip((Sender, Receiver), nodes, strict=True)
    )

    def cpu() -> float:
        return cpu_of([pid for node in cluster.all_nodes() for pid in node.ray_processes()])

    ray.get(sender.call.remote(receiver, 100, 50, 1))
    before = cpu()
    time.sleep(_IDLE)
    idle = (cpu() - before) / _IDLE
    for subject, size in SIZES.items():
        for name, method in (("an actor call", sender.call), ("an object", sender.put)):
            began, spent = time.monotonic(), cpu()
            ray.get(method.remote(receiver, size, count, _WINDOW))
            seconds, used = time.monotonic() - began, cpu() - spent
            turns = ray.get(method.remote(receiver, size, _TURNS, 1))
            yield _row(subject, name, count, seconds, used - idle * seconds, turns)


def measure_line(count: int) -> Iterator[Row]:
    """Two processes, and this one between them, as the supervisor is."""
    for subject, size in SIZES.items():
        server = create_server(("127.0.0.1", 0))
        address, spent = server.getsockname(), time.process_time()
        pids = [_fork(lambda line: _send(line, size, count), address)]  # noqa: B023
        first = server.accept()[0]
        pids.append(_fork(_answer, address))
        seconds, turns = _pass_on(first, server.accept()[0])
        used = passing = time.process_time() - spent
        usages = [os.wait4(pid, 0)[2] for pid in pids]
        used += sum(one.ru_utime + one.ru_stime for one in usages)
        row = _row(subject, "a line", count, seconds, used * count / (count + _TURNS), turns)
        row.figures["of it the supervisor's"] = 1e6 * passing / (count + _TURNS)
        yield row
        server.close()


def _fork(live: Callable[[socket], None], address: tuple[str, int]) -> int:
    if pid := os.fork():
        return pid
    try:
        with create_connection(address) as line:
            line.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
            live(line)
    finally:
        os._exit(0)


def _send(end: socket, size: int, count: int) -> None:
    """A partition that has batches for another, then waits for each answer."""
    poller = Poller()
    wire = Wire(end, poller)
    sent = answered = 0
    began, times = time.monotonic(), list[float]()

    def catch_up(most: int) -> None:
        nonlocal answered
        while sent - answered >= most:
            poller.wait(1.0)
            answered += sum(frame.kind == FrameKind.ACK for frame in wire.frames())

    for _ in range(count):
        wire.send(Frame(FrameKind.BATCH, 1, sent, 0, os.urandom(size)))
        sent += 1
        catch_up(_WINDOW)
    catch_up(1)
    seconds = time.monotonic() - began
    for _ in range(_TURNS):
        start = time.monotonic()
        wire.send(Frame(FrameKind.BATCH, 1, sent, 0, os.urandom(size)))
        sent += 1
        catch_up(1)
        times.append(time.monotonic() - start)
    wire.send_last(Frame(FrameKind.SAID, body=msgspec.msgpack.encode((seconds, times))), 10.0)


def _answer(end: socket) -> None:
    poller = Poller()
    wire = Wire(end, poller)
    while not wire.is_closed:
        poller.wait(1.0)
        for frame in wire.frames():
            wire.send(Frame(FrameKind.ACK, 0, frame.number))


def _pass_on(first: socket, second: socket) -> tuple[float, list[float]]:
    poller = Poller()
    for end in (first, second):
        end.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    wires = Wire(first, poller), Wire(second, poller)
    while True:
        poller.wait(1.0)
        for wire, other in (wires, wires[::-1]):
            for frame in wire.frames():
                if frame.kind == FrameKind.SAID:
                    for one in wires:
                        one.close()
                    return msgspec.msgpack.decode(frame.body, type=tuple[float, list[float]])
                other.send(frame)


def _row(
    subject: str, name: str, count: int, seconds: float, used: float, turns: list[float]
) -> Row:
    figures = {
        "batches/s": count / seconds,
        "µs CPU/batch": 1e6 * used / count,
        "round trip, ms": 1e3 * median(turns),
    }
    return Row("channels", subject, name, figures)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=3000)
    arguments = parser.parse_args()
    if networks():
        sys.exit("call it with python -m tools.loopback_only: Ray listens on every network")
    print_rows(sorted([*measure_line(arguments.count), *measure_ray(arguments.count)]))
