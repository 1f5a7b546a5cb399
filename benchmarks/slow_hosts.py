"""5,000 hosts that answer one byte a second, beside a crawl of healthy hosts.

    python -m benchmarks.slow_hosts [--slow 5000] [--hosts 400] [--seconds 20] [--delay 1.0]

The same healthy web is crawled twice for the same time, alone and with the slow hosts among the seeds,
politely: what politeness allows is what a crawl should get. Printed are the healthy pages per second of both.
"""

import argparse
import asyncio
import multiprocessing
import socket
import struct
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import gossamer
from gossamer.core.settings import BudgetSettings, DnsSettings
from gossamer.lab import Web, serve

SLOW_ADDRESS = "127.0.90.1"
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n"


def _serve_slowly(port: "multiprocessing.Queue[int]") -> None:
    async def trickle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            for byte in _HEAD + b"x" * 100_000:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(1)
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(trickle, SLOW_ADDRESS, 0, backlog=10_000)
        port.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


def _resolve(upstream: str, port: "multiprocessing.Queue[int]") -> None:
    """Names under slow.test are at the slow server; all others the healthy web's name server knows."""
    host, _, number = upstream.partition(":")
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as here,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as there,
    ):
        here.bind(("127.0.0.1", 0))
        there.connect((host, int(number)))
        port.put(here.getsockname()[1])
        while True:
            question, client = here.recvfrom(4096)
            if b"\x04slow\x04test\x00" in question:
                here.sendto(_slow_answer(question), client)
            else:
                there.send(question)
                here.sendto(there.recv(4096), client)


def _slow_answer(question: bytes) -> bytes:
    end = question.index(b"\x00", 12) + 5
    is_a = question[end - 4 : end - 2] == b"\x00\x01"
    answer = b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 3600, 4) + socket.inet_aton(SLOW_ADDRESS)
    head = question[:2] + struct.pack("!5H", 0x8580, 1, is_a, 0, 0)
    return head + question[12:end] + (answer if is_a else b"")


@contextmanager
def _process(target, *arguments) -> Iterator[int]:
    port: multiprocessing.Queue[int] = multiprocessing.Queue()
    process = multiprocessing.Process(target=target, args=(*arguments, port), daemon=True)
    process.start()
    try:
        yield port.get(timeout=30)
    finally:
        process.terminate()
        process.join()


def measure(seeds: list[str], dns: str, delay: float, seconds: float, warm_up: float) -> float:
    """Healthy pages per second of a crawl, once all hosts are under way."""
    import resource

    with tempfile.TemporaryDirectory() as work:
        job = gossamer.Crawl(
            *seeds,
            out=Path(work) / "out",
            # Without budgets: they would keep the slow hosts, all of one domain, to ten at a time.
            settings=gossamer.Settings(
                dns=DnsSettings(servers=(dns,)), budget=BudgetSettings(kind="off")
            ),
            scope="all",
            delay=delay,
            factor=0.0,
            address_delay=0.0,
            per_address=100_000,
            max_seconds=warm_up + seconds,
            allow_private=True,
            slow_seconds=3600.0,
            timeout=3600.0,
        )
        before = resource.getrusage(resource.RUSAGE_SELF)
        began = time.time()
        healthy = sum(
            "slow.test" not in page.url and page.page.started > began + warm_up for page in job
        )
        after = resource.getrusage(resource.RUSAGE_SELF)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        summary = job.summary()
        print(
            f"  {healthy} healthy pages, {summary.in_flight} in flight, {cpu / summary.seconds:.0%} CPU"
        )
        return healthy / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slow", type=int, default=5000)
    parser.add_argument("--hosts", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--warm-up", type=float, default=8.0)
    parser.add_argument("--delay", type=float, default=1.0)
    arguments = parser.parse_args()
    web = Web(seed=7, pages=arguments.hosts * 200, hosts=arguments.hosts)
    with (
        serve(web) as served,
        _process(_serve_slowly) as slow_port,
        _process(_resolve, served.dns_address) as dns_port,
    ):
        dns = f"127.0.0.1:{dns_port}"
        healthy = [served.web.url(site, 0) for site in range(arguments.hosts)]
        slow = [f"http://h{number}.slow.test:{slow_port}/" for number in range(arguments.slow)]
        print("alone:")
        times = (arguments.delay, arguments.seconds, arguments.warm_up)
        alone = measure(healthy, dns, *times)
        print(f"with {arguments.slow} slow hosts:")
        mixed = measure(healthy + slow, dns, *times)
    print(f"alone {alone:.1f} pages/s, with slow hosts {mixed:.1f} pages/s: {mixed / alone:.1%}")


if __name__ == "__main__":
    main()
