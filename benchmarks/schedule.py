"""What it costs to keep URLs until they are due, and to take them out, by the number of URLs.

    python -m benchmarks.schedule [--sizes 10_000 1_000_000 100_000_000] [--folder DIR]

URLs with what is remembered of them (about 260 bytes) are scheduled at chance times in the next months. Then
time goes by: those that are due are taken out and scheduled again, which is what a crawl that never ends
does all the time. Each size runs in a process of its own, for its memory is measured.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from gossamer.core.records import Candidate, Via
from gossamer.core.url import Url
from gossamer.pipeline.frontier.schedule import Schedule
from gossamer.pipeline.frontier.waiting_url import encode
from gossamer.policy.revisit.page_memory import PageMemory, write_memory

_DAY = 86_400.0
_MEAN = 30 * _DAY
_NOW = 1.8e9
_TOGETHER = 200
_TAKEN = 500_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="*", type=int, default=[10_000, 1_000_000, 100_000_000])
    parser.add_argument("--folder", type=Path, help="where the files are; there must be room")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        _measure(arguments.one, arguments.folder)
        return
    print(
        "| URLs | schedule, µs | take and schedule again, µs | memory, MB | bytes on disk per URL |"
    )
    print("|---:|---:|---:|---:|---:|", flush=True)
    for size in arguments.sizes:
        with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
            command = [sys.executable, "-m", "benchmarks.schedule", "--one", str(size)]
            subprocess.run([*command, "--folder", folder], check=True)


def _measure(size: int, folder: Path) -> None:
    random, schedule, now = Random(1), Schedule(folder), _NOW
    schedule.advance(now)
    empty = _resident()
    records = [_record(random, number) for number in range(2000)]
    began = time.process_time()
    for number in range(size):
        schedule.add(now + random.expovariate(1 / _MEAN), records[number % 2000])
        if not number % _TOGETHER:
            schedule.make_room()
    filled = time.process_time() - began
    taken, wanted, step = 0, min(size, _TAKEN), _MEAN / size * _TOGETHER
    began = time.process_time()
    while taken < wanted:
        now += step
        schedule.advance(now)
        for record in list(schedule.take_due(now, 10 * _TOGETHER)):
            schedule.add(now + random.expovariate(1 / _MEAN), record)
            taken += 1
        schedule.make_room()
    turned = time.process_time() - began
    memory = max(0, _resident() - empty) / (1 << 20)
    disk = schedule.disk_bytes / size
    print(
        f"| {size:,} | {filled / size * 1e6:.1f} | {turned / taken * 1e6:.1f} | {memory:.0f} | {disk:.0f} |",
        flush=True,
    )


def _record(random: Random, number: int) -> bytes:
    host = f"host-{random.randrange(50_000)}.test"
    origin = f"http://{host}"
    words = "-".join(random.choice(("red", "old", "new", "sea", "cat")) for _ in range(4))
    url = Url(f"{origin}/{words}/{number}.html", host, origin, random.getrandbits(64))
    memory = PageMemory(_NOW, _NOW, 1.5, 40.0, 0.03, 1.0, visits=7, changes=2)
    memory.text, memory.links = random.getrandbits(64), random.getrandbits(64)
    memory.digest, memory.sketch = random.randbytes(20), random.randbytes(64)
    page = Candidate(url, 4, Via.LINK, f"{origin}/list.html", memory=write_memory(memory))
    return encode(page, 0, 0)


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
