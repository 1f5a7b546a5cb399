"""What a lease and a put cost, by the number of URLs that wait.

    python -m benchmarks.frontier [URLS ...]
    python -m benchmarks.frontier --crowd [HOSTS [URLS_EACH]]
    python -m benchmarks.frontier --moves [URLS ...]

For each size, a frontier on disk is filled; a tenth of the URLs belong to one host, the others to a
hundredth as many hosts, at random. Then URLs are leased, ended and replaced by new ones at the
same rate, with 500 transfers in flight and 1,500 back queues, on a clock of its own that counts
2,000 pages a second. Last come a checkpoint and the way back from it.

The crowd is the worst case for memory: every host was asked once and rests for an hour, so that
all of them stand in the host table, and all of their URLs behind the front queues. Each host has
URLS_EACH URLs, one for each level in turn.

The moves: a filled frontier is told other levels for one in eight of its URLs, at random, a thousand at
a time, as an ordering policy does; the cost is that of all the work until the last has moved.

Costs are CPU time, because the machine may be shared; one column gives the pairs by the clock on the
wall, waiting for the disk included. Each size runs in a process of its own, so that its
memory can be told.
"""

import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import deque
from itertools import islice
from pathlib import Path

import xxhash

from gossamer.core.records import Candidate, Via, Visit
from gossamer.core.url import Url
from gossamer.pipeline.frontier import DiskFrontier

SIZES = [10_000, 1_000_000, 10_000_000]
LEVELS = 16
TRANSFERS = 500
PAGES_PER_SECOND = 2_000.0
BATCH = 20
PAIRS = 200_000


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        measure(int(sys.argv[2]), Path(sys.argv[3]))
        return
    if sys.argv[1:2] == ["--crowd"]:
        with tempfile.TemporaryDirectory(prefix="frontier-") as folder:
            crowd(Path(folder), *map(int, sys.argv[2:]))
        return
    if sys.argv[1:2] == ["--moves"]:
        print("| URLs | moved | us per move | looks per move |\n|---:|---:|---:|---:|", flush=True)
        for size in [int(size) for size in sys.argv[2:]] or SIZES:
            with tempfile.TemporaryDirectory(prefix="frontier-") as folder:
                measure_moves(size, Path(folder))
        return
    sizes = [int(size) for size in sys.argv[1:]] or SIZES
    titles = ("URLs", "hosts", "put us", "pairs/s", "1st tenth", "last tenth", "pairs/s, wall",
              "MB", "disk MB", "checkpoint s", "restore s")  # fmt: skip
    print("| " + " | ".join(titles) + " |\n|" + "---:|" * len(titles), flush=True)
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="frontier-") as folder:
            subprocess.run(
                [sys.executable, "-m", "benchmarks.frontier", "--one", str(size), folder],
                check=True,
            )


def measure(size: int, folder: Path) -> None:
    web = Web(size)
    frontier = open_frontier(folder)
    put = fill(frontier, web, size)
    tenths, wall = exchange(frontier, web)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    disk = frontier.disk_bytes / 1e6
    began = time.perf_counter()
    state = frontier.checkpoint()
    frontier.checkpoint_published()
    checkpoint = time.perf_counter() - began
    frontier.close()
    began = time.perf_counter()
    again = open_frontier(folder, state)
    restore = time.perf_counter() - began
    assert len(again) >= size, "URLs were lost"
    pairs = PAIRS / sum(tenths)
    cells = (
        f"{size:,}", f"{web.hosts:,}", f"{put * 1e6:.1f}", f"{pairs:,.0f}",
        f"{PAIRS / 10 / tenths[0]:,.0f}", f"{PAIRS / 10 / tenths[-1]:,.0f}", f"{PAIRS / wall:,.0f}",
        f"{memory:,.0f}", f"{disk:,.0f}", f"{checkpoint:.2f}", f"{restore:.2f}",
    )  # fmt: skip
    print("| " + " | ".join(cells) + " |", flush=True)


def measure_moves(size: int, folder: Path) -> None:
    web, frontier, keys = Web(size), open_frontier(folder), []
    for _ in range(0, size, BATCH):
        candidates, levels = web.candidates(BATCH)
        frontier.put(candidates, levels)
        keys += [candidate.url.key for candidate in candidates[:: BATCH * 2 // 5]]
    chance = random.Random(3)
    chance.shuffle(keys)
    began = time.process_time()
    for start in range(0, len(keys), 1000):
        batch = keys[start : start + 1000]
        frontier.relevel(batch, [int(chance.random() * LEVELS) for _ in batch])
        frontier.put([], [])
    while frontier.moves.is_under_way:
        frontier.put([], [])
    seconds, moves = time.process_time() - began, frontier.moves
    cells = (f"{size:,}", f"{moves.moved:,}", f"{seconds / moves.moved * 1e6:.1f}",
             f"{moves.looked_at / moves.moved:.1f}")  # fmt: skip
    print("| " + " | ".join(cells) + " |", flush=True)


def crowd(folder: Path, hosts: int = 1_000_000, each: int = 5) -> None:
    frontier = open_frontier(folder)
    put = fill_crowd(frontier, hosts, each)
    print(f"{hosts:,} hosts, {each * hosts:,} URLs; a put takes {put * 1e6:.1f} us", flush=True)
    for name, hour in (("first", 0), ("second", 1)):
        count, began = 0, time.process_time()
        while (visit := lease_now(frontier, hour * 3600.0)) is not None:
            frontier.done(visit, (hour + 1) * 3600.0)
            count += 1
        each = (time.process_time() - began) / count
        statistics = frontier.statistics()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{name} hour: {count:,} hosts asked, {each * 1e6:.1f} us each; then {len(frontier):,} "
            f"URLs of {statistics.hosts:,} hosts wait; at most {memory:,.0f} MB of memory, "
            f"{frontier.disk_bytes / 1e6:,.0f} MB on disk",
            flush=True,
        )
    checkpoint(frontier, "the first")
    for _ in range(10_000):
        if (visit := lease_now(frontier, 2 * 3600.0)) is not None:
            frontier.done(visit, 3 * 3600.0)
    state = checkpoint(frontier, "ten thousand leases later")
    waiting = len(frontier)
    frontier.close()
    del frontier
    began = time.perf_counter()
    assert len(open_frontier(folder, state)) == waiting
    print(f"restore: {time.perf_counter() - began:.1f} s")


def checkpoint(frontier: DiskFrontier, title: str) -> bytes:
    began = time.perf_counter()
    state = frontier.checkpoint()
    frontier.checkpoint_published()
    seconds = time.perf_counter() - began
    print(f"checkpoint, {title}: {seconds:.2f} s, {len(state)} bytes of manifest", flush=True)
    return state


def lease_now(frontier: DiskFrontier, now: float) -> Visit | None:
    """Lease a URL without waiting for more than the frontier's own work."""
    while (visit := frontier.lease(now)) is None:
        ready = frontier.next_ready()
        if ready is None or ready > now + 1.0:
            return None
    return visit


def open_frontier(folder: Path, state: bytes | None = None) -> DiskFrontier:
    return DiskFrontier(folder, LEVELS, 3 * TRANSFERS, random=random.Random(1), state=state)


class Web:
    """An endless supply of new URLs."""

    def __init__(self, size: int) -> None:
        self.hosts = max(100, size // 100)
        self.in_flight = min(TRANSFERS, self.hosts // 2)
        self.gap = min(10.0, self.hosts / 2 / PAGES_PER_SECOND)
        self._random = random.Random(2)
        self._serial = 0

    def candidates(self, count: int) -> tuple[list[Candidate], list[int]]:
        chance = self._random.random
        numbers = [0 if chance() < 0.1 else int(chance() * self.hosts) for _ in range(count)]
        return self.on_hosts([f"www.host-{number}.test" for number in numbers])

    def on_hosts(self, hosts: list[str]) -> tuple[list[Candidate], list[int]]:
        chance = self._random.random
        source = f"https://www.host-{int(chance() * self.hosts)}.test/section/{self._serial}.html"
        batch = []
        for host in hosts:
            self._serial += 1
            origin = f"https://{host}"
            text = f"{origin}/section/{self._serial % 977}/page-{self._serial}.html"
            url = Url(text, host, origin, xxhash.xxh3_64_intdigest(text.encode()))
            batch.append(Candidate(url, 3, Via.LINK, source))
        return batch, [int(chance() * LEVELS) for _ in batch]


def fill(frontier: DiskFrontier, web: Web, size: int) -> float:
    """Seconds per URL put."""
    seconds = 0.0
    for _ in range(0, size, BATCH):
        candidates, levels = web.candidates(BATCH)
        began = time.process_time()
        frontier.put(candidates, levels)
        seconds += time.process_time() - began
    return seconds / size


def fill_crowd(frontier: DiskFrontier, hosts: int, each: int) -> float:
    """Seconds per URL put; the hosts come round and round, each time with URLs of the next level."""
    web, seconds = Web(100 * hosts), 0.0
    for number in range(each):
        for start in range(0, hosts, BATCH):
            names = [f"www.host-{n}.test" for n in range(start, min(start + BATCH, hosts))]
            candidates, _ = web.on_hosts(names)
            levels = [(number + n) % LEVELS for n in range(len(names))]
            began = time.process_time()
            frontier.put(candidates, levels)
            seconds += time.process_time() - began
    return seconds / (hosts * each)


def exchange(frontier: DiskFrontier, web: Web) -> tuple[list[float], float]:
    """Seconds of CPU time for each tenth of the pairs, and seconds by the wall for all of them."""
    tenths, wall = [0.0] * 10, 0.0
    now = 1.0
    out: deque[Visit] = deque()
    for number in range(0, PAIRS, BATCH):
        began, began_wall = time.process_time(), time.perf_counter()
        for _ in range(BATCH):
            now = lease(frontier, out, now) + 1 / PAGES_PER_SECOND
            if len(out) > web.in_flight:
                frontier.done(out.popleft(), now + web.gap)
        seconds, wall = time.process_time() - began, wall + time.perf_counter() - began_wall
        hosts = [visit.url.host for visit in islice(reversed(out), BATCH)]
        candidates, levels = web.on_hosts(hosts)
        began, began_wall = time.process_time(), time.perf_counter()
        frontier.put(candidates, levels)
        tenths[number * 10 // PAIRS] += seconds + time.process_time() - began
        wall += time.perf_counter() - began_wall
    return tenths, wall


def lease(frontier: DiskFrontier, out: deque[Visit], now: float) -> float:
    """Lease a URL, waiting as long as it takes; returns the time by then."""
    while (visit := frontier.lease(now)) is None:
        ready = frontier.next_ready()
        assert ready is not None, "URLs wait, and no time is known"
        now = max(ready, now)
    out.append(visit)
    return now


if __name__ == "__main__":
    main()
