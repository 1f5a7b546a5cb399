"""How many names a second one core resolves, and what a remembered name costs.

    python benchmarks/dns.py [NAMES]

A name server in a second process answers each query from loopback. Measured are names per second,
this process's CPU time per name, the cost of a hit in the cache, and how much slower good names
get while thousands of silent ones are under way.
"""

import multiprocessing
import resource
import socket
import sys
import time
import timeit
from collections.abc import Sequence
from multiprocessing.connection import Connection

from gossamer.core.clock import SystemClock
from gossamer.core.poller import Poller
from gossamer.core.settings import DnsSettings
from gossamer.pipeline.dns import Resolver

_ADDRESS = b"\xc0\x0c\0\x01\0\x01\0\0\x0e\x10\0\x04\x7f\0\0\x01"
"""An A record: 127.0.0.1 for an hour."""


def serve(pipe: Connection) -> None:
    """Answer A with one address, AAAA with none, and names that start with `dead` not at all."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
    server.bind(("127.0.0.1", 0))
    pipe.send(server.getsockname()[1])
    while True:
        query, client = server.recvfrom(512)
        if query[13:17] == b"dead":
            continue
        end = query.index(b"\0", 12) + 5
        is_a = query[end - 3] == 1
        counts = b"\0\x01\0\x01\0\0\0\0" if is_a else b"\0\x01\0\0\0\0\0\0"
        answer = query[:2] + b"\x81\x80" + counts + query[12:end] + (_ADDRESS if is_a else b"")
        server.sendto(answer, client)


def resolve(resolver: Resolver, poller: Poller, names: Sequence[str]) -> tuple[float, float]:
    """Resolve all names, a thousand new ones a turn; returns wall and CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    left, begun = set(names), 0
    while left:
        for name in names[begun : begun + 1000]:
            resolver.start(name)
        begun += 1000
        timeout = resolver.next_timeout()
        poller.wait(0.1 if timeout is None else min(timeout, 0.1))
        resolver.tick()
        left.difference_update(resolver.finished())
    return time.perf_counter() - wall, time.process_time() - cpu


def report(title: str, names: int, wall: float, cpu: float) -> None:
    print(f"{title:<44}{names / wall:>10,.0f} names/s{cpu / names * 1e6:>8.1f} µs CPU each")


def measure(port: int, names: int) -> None:
    poller = Poller()
    servers = (f"127.0.0.1:{port}",)
    for title, settings in (
        ("A and AAAA", DnsSettings(servers=servers)),
        ("A only", DnsSettings(servers=servers, families=("ipv4",))),
    ):
        resolver = Resolver(settings, poller, SystemClock())
        report(title, names, *resolve(resolver, poller, hosts("www", names)))
        resolver.close()

    resolver = Resolver(DnsSettings(servers=servers), poller, SystemClock())
    for host in hosts("dead", 5000):
        resolver.start(host)
    resolve(resolver, poller, hosts("first", 5000))  # by now the silent ones are in later lanes
    report("beside 5,000 silent names", names, *resolve(resolver, poller, hosts("www", names)))
    hit = min(timeit.repeat(lambda: resolver.lookup("www.site1.test"), number=100_000, repeat=5))
    print(f"{'a hit in the cache':<44}{hit / 100_000 * 1e9:>10,.0f} ns")
    print(f"{'most memory':<44}{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10:>10,} MiB")
    resolver.close()
    poller.close()


def hosts(label: str, count: int) -> list[str]:
    return [f"{label}.site{n}.test" for n in range(count)]


def main() -> None:
    here, there = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(there,), daemon=True)
    server.start()
    try:
        measure(here.recv(), int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
    finally:
        server.terminate()
        server.join()


if __name__ == "__main__":
    main()
