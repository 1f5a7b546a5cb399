"""How fast DRUM checks URLs, and whether its cost stays flat.

    python benchmarks/drum.py [--count 100000000] [--memory 256] [--resident 0] [--folder DIR]

A stream of URL keys of which 11 % are new (IRLbot's figure) goes through check+update, each with 110 bytes of
auxiliary data (IRLbot's average URL with what the crawler attaches), and all answers are taken. Keys are
computed, not remembered: key number i is a mixed-up i, and a known URL is a random number below the count of
those met so far. Each tenth ends with a merge, so that it pays for its own URLs and for no others. One core.
`--resident` is how many keys may be answered from memory; 0 measures the disk.

Targets: 1 million checks a second; a URL of the last tenth costs at most 1.3 times one of the second tenth.
"""

import argparse
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from gossamer.core.disk.drum import BYTES, Drum, DrumPlan, DrumStatistics

NEW = 0.11
URL_BYTES = 110
KEY_BYTES = 8
BATCH = 20_000


def mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """A different, random-looking key for each number (the finaliser of SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


class Stream:
    """Keys as a crawl finds them, and how many of them are new."""

    def __init__(self, seed: int = 1) -> None:
        self._random = np.random.default_rng(seed)
        self.new = 1

    def batch(self, size: int) -> npt.NDArray[np.uint64]:
        is_new = self._random.random(size) < NEW
        numbers = self._random.integers(0, self.new, size, dtype=np.uint64)
        fresh = int(is_new.sum())
        numbers[is_new] = np.arange(self.new, self.new + fresh, dtype=np.uint64)
        self.new += fresh
        return mixed(numbers)


class Tenth:
    """What a tenth of the stream took."""

    def __init__(self) -> None:
        self.wall = self.cpu = 0.0
        self.unique = 0

    @contextmanager
    def timed(self) -> Iterator[None]:
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        self.wall += time.perf_counter() - wall
        self.cpu += time.process_time() - cpu

    def take_answers(self, drum: Drum[bytes]) -> None:
        for answers in drum.answers():
            self.unique += len(answers.unique_aux())


def run(drum: Drum[bytes], count: int) -> list[Tenth]:
    """Each tenth ends with a merge, so that it pays for its own URLs and for no others."""
    stream, aux = Stream(), [bytes([65 + number % 26]) * URL_BYTES for number in range(BATCH)]
    tenths = []
    for number in range(10):
        tenth = Tenth()
        for _ in range(count // 10 // BATCH):
            keys = stream.batch(BATCH)
            with tenth.timed():
                drum.check_update(keys, aux=aux)
                tenth.take_answers(drum)
        with tenth.timed():
            drum.merge()
            tenth.take_answers(drum)
        tenths.append(tenth)
        print(f"tenth {number + 1}: {drum.statistics().known:,} keys", file=sys.stderr)
    assert sum(tenth.unique for tenth in tenths) == stream.new, "every new URL came out once"
    return tenths


def theory(count: int, plan: DrumPlan) -> float:
    """Bytes moved per byte of URL text: the disk-limited case of equation (5) in Theorem 2 of the IRLbot
    paper (Lee et al., WWW 2008), without the share of new URLs for the crawler's own queue."""
    known = NEW * KEY_BYTES * count
    return (KEY_BYTES + URL_BYTES) * known / (URL_BYTES * plan.disk) + 2 + 2 * KEY_BYTES / URL_BYTES


def report(tenths: list[Tenth], found: DrumStatistics, plan: DrumPlan, count: int) -> None:
    part = count / 10
    print("tenth   wall µs/URL   CPU µs/URL")
    for number, tenth in enumerate(tenths, 1):
        print(f"{number:5}   {tenth.wall / part * 1e6:11.3f}   {tenth.cpu / part * 1e6:10.3f}")
    wall, cpu = sum(one.wall for one in tenths), sum(one.cpu for one in tenths)
    print(f"checks per second: {count / wall:,.0f} (wall), {count / cpu:,.0f} (CPU)")
    print(f"last tenth / second tenth: {tenths[-1].wall / tenths[1].wall:.2f} (wall), ", end="")
    print(f"{tenths[-1].cpu / tenths[1].cpu:.2f} (CPU)")
    moved = found.bytes_read + found.bytes_written
    print(f"α: {moved / count / URL_BYTES:.3f} measured, {theory(count, plan):.3f} by Theorem 2")
    print(f"passes over the repository: {found.merges}, keys known: {found.known:,}")
    print(f"bytes read {found.bytes_read:,}, written {found.bytes_written:,}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--count", type=int, default=100_000_000, help="URLs of the stream")
    arguments.add_argument("--memory", type=int, default=256, help="MB for the structure")
    arguments.add_argument("--resident", type=int, default=0, help="keys answered from memory")
    arguments.add_argument("--folder", type=Path, default=None, help="where to work")
    given = arguments.parse_args()
    given.count = max(1, given.count // 10 // BATCH) * 10 * BATCH
    plan = DrumPlan.of(given.memory << 20)
    plan = msgspec.structs.replace(plan, resident=min(plan.resident, given.resident))
    folder = Path(tempfile.mkdtemp(prefix="drum-", dir=given.folder))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        drum = Drum(folder, codec=BYTES, plan=plan)
        tenths = run(drum, given.count)
        print(f"{given.count:,} URLs, {given.memory} MB, k = {plan.buckets}, r = {plan.bucket:,}")
        report(tenths, drum.statistics(), plan, given.count)
        drum.close()
    finally:
        shutil.rmtree(folder)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"resident memory: {(after - before) / 1024:,.0f} MB more at its highest")


if __name__ == "__main__":
    main()
