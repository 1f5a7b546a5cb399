"""The seen set and the frontier, compared with RocksDB and LMDB: the same work, and kills.

    python -m benchmarks.state_stores [--count 10000000] [--memory 256] [--only seen frontier kills]

Needs `pip install rocksdict lmdb`; a store whose package is missing is left out, and named.

Seen: a stream of keys of which 11 % are new (IRLbot's figure), each with 110 bytes, in batches of 2,000, as
a few pages bring them. Every store reports which keys are new, once, and keeps their bytes until then.
Frontier: `--count` URLs are put, then 200,000 are leased, each from the next host in a circle, and
replaced. The key-value stores do the least that a frontier needs: no levels that change, no
politeness, no budgets, no sample. A key is the host's number and a serial number, a lease is a seek and a
delete. So their figures are a lower bound, and ours are not.
Kills: a process puts batches, names each that its store calls durable, and is killed at random. Every named
batch has to be there afterwards.

Costs are CPU time of all threads, compaction in the background included. Each store runs in a process of its
own, so that its memory can be measured; mapped files count once they are touched.
"""

import argparse
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from benchmarks.drum import URL_BYTES, Stream
from benchmarks.frontier import BATCH, PAIRS, Web, exchange, fill, open_frontier
from gossamer.core.disk.drum import BYTES, Drum, DrumPlan
from gossamer.core.disk.journal import Journal, replay
from gossamer.pipeline.seen import pack, unpack

SEEN_BATCH = 2_000
ROUNDS = 10
_NOISE = random.Random(9).randbytes(1 << 16)
"""What no store can make smaller."""
_MAP_BYTES = 1 << 40


class Store(Protocol):
    """A sorted map of bytes, as RocksDB and LMDB are."""

    def take_new(self, keys: Sequence[bytes]) -> int:
        """Enter the keys that are not there; how many were these?"""

    def put(self, pairs: Sequence[tuple[bytes, bytes]]) -> None: ...

    def pop_first(self, prefix: bytes) -> bytes | None:
        """Take out the first entry whose key begins so."""

    def commit(self) -> None:
        """Return when all is durable."""

    def has(self, key: bytes) -> bool: ...

    def close(self) -> None: ...


class Rocks:
    """RocksDB with a Bloom filter of 10 bits a key, and a cache of the memory that is allowed."""

    def __init__(self, folder: Path, memory: int) -> None:
        import rocksdict as rocks

        options = rocks.Options(raw_mode=True)
        options.create_if_missing(True)
        options.set_write_buffer_size(memory // 8)
        options.set_max_background_jobs(2)
        blocks = rocks.BlockBasedOptions()
        blocks.set_block_cache(rocks.Cache(memory // 2))
        blocks.set_bloom_filter(10, False)
        options.set_block_based_table_factory(blocks)
        self._rocks = rocks
        self._db = rocks.Rdict(str(folder), options=options)

    def take_new(self, keys: Sequence[bytes]) -> int:
        found = self._db[list(keys)]
        new = {key for key, value in zip(keys, found, strict=True) if value is None}
        self.put([(key, _aux(key)) for key in new])
        return len(new)

    def put(self, pairs: Sequence[tuple[bytes, bytes]]) -> None:
        batch = self._rocks.WriteBatch(raw_mode=True)
        for key, value in pairs:
            batch.put(key, value)
        self._db.write(batch)

    def pop_first(self, prefix: bytes) -> bytes | None:
        read = self._db.iter()
        read.seek(prefix)
        key = read.key() if read.valid() else None
        if key is None or not key.startswith(prefix):
            return None
        value: bytes = read.value()
        self._db.delete(key)
        return value

    def commit(self) -> None:
        self._db.flush_wal(True)

    def has(self, key: bytes) -> bool:
        return self._db.get(key) is not None

    def close(self) -> None:
        self._db.close()


class Lmdb:
    """LMDB; a transaction is open from one commit to the next."""

    def __init__(self, folder: Path, memory: int) -> None:
        import lmdb

        self._env = lmdb.open(str(folder), map_size=_MAP_BYTES, max_readers=4)
        self._work = self._env.begin(write=True)

    def take_new(self, keys: Sequence[bytes]) -> int:
        put = self._work.put
        return sum(put(key, _aux(key), overwrite=False) for key in sorted(keys))

    def put(self, pairs: Sequence[tuple[bytes, bytes]]) -> None:
        for key, value in pairs:
            self._work.put(key, value)

    def pop_first(self, prefix: bytes) -> bytes | None:
        with self._work.cursor() as cursor:
            if not cursor.set_range(prefix) or not cursor.key().startswith(prefix):
                return None
            value: bytes = cursor.value()
            cursor.delete()
            return value

    def commit(self) -> None:
        self._work.commit()
        self._work = self._env.begin(write=True)

    def has(self, key: bytes) -> bool:
        return self._work.get(key) is not None

    def close(self) -> None:
        self._work.commit()
        self._env.close()


STORES: dict[str, tuple[str, Callable[[Path, int], Store]]] = {
    "RocksDB": ("rocksdict", Rocks),
    "LMDB": ("lmdb", Lmdb),
}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--count", type=int, default=10_000_000, help="keys of the stream, and URLs")
    asked.add_argument("--memory", type=int, default=256, help="MB for the structure")
    asked.add_argument("--only", nargs="*", default=["seen", "frontier", "kills"])
    asked.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    given = asked.parse_args()
    if given.one:
        work, name, folder = given.one
        WORK[work](name, Path(folder), given.count, given.memory << 20)
        return
    there = ["Gossamer"]
    for name, (package, _) in STORES.items():
        if find_spec(package):
            there.append(name)
        else:
            print(f"{name} is left out: pip install {package}", flush=True)
    for work in given.only:
        print(f"\n{work}\n{TITLES[work]}", flush=True)
        for name in there:
            with tempfile.TemporaryDirectory(prefix="stores-") as folder:
                if work == "kills":
                    try_kills(name, Path(folder), given.memory)
                else:
                    subprocess.run(_command(work, name, folder, given), check=True)


def _command(work: str, name: str, folder: str, given: argparse.Namespace) -> list[str]:
    sizes = ("--count", str(given.count), "--memory", str(given.memory))
    return [sys.executable, "-m", "benchmarks.state_stores", *sizes, "--one", work, name, folder]


TITLES = {
    "seen": "| store | CPU us a key, by fifths | in all | wall us | commits ms, longest | MB | disk MB |",
    "frontier": "| store | put us | lease and put us | wall us | MB | disk MB |",
    "kills": "| store | kills | batches called durable | of these lost |",
}


# The seen set.


def measure_seen(name: str, folder: Path, count: int, memory: int) -> None:
    take, commit, close = _open_seen(name, folder, memory)
    stream, fifths, wall, longest, new = Stream(), [0.0] * 5, 0.0, 0.0, 0
    batches = count // SEEN_BATCH
    for number in range(batches):
        keys = stream.batch(SEEN_BATCH)
        began, began_wall = time.process_time(), time.perf_counter()
        new += take(keys)
        if number % 50 == 49:  # about once a second in a crawl
            began_commit = time.perf_counter()
            commit()
            longest = max(longest, time.perf_counter() - began_commit)
        fifths[number * 5 // batches] += time.process_time() - began
        wall += time.perf_counter() - began_wall
    began = time.process_time()
    new += close()
    fifths[-1] += time.process_time() - began
    assert new == stream.new, (new, stream.new)
    cells = " ".join(f"{fifth * 5 / count * 1e6:.2f}" for fifth in fifths)
    cpu = sum(fifths) / count * 1e6
    print(
        f"| {name} | {cells} | {cpu:.2f} | {wall / count * 1e6:.2f} | {longest * 1e3:.0f} "
        f"| {_memory():.0f} | {_disk(folder):.0f} |",
        flush=True,
    )


def _open_seen(
    name: str, folder: Path, memory: int
) -> tuple[Callable[[Any], int], Callable[[], None], Callable[[], int]]:
    if name == "Gossamer":
        drum = Drum(folder / "seen", codec=BYTES, plan=DrumPlan.of(memory))
        aux = [_aux(number.to_bytes(8, "big")) for number in range(SEEN_BATCH)]

        def answered() -> int:
            return sum(len(answers.unique_aux()) for answers in drum.answers())

        def take(keys: Any) -> int:
            drum.check_update(keys, aux=aux)
            return answered()

        def commit() -> None:
            drum.checkpoint()
            drum.checkpoint_published()

        def close() -> int:
            drum.merge()
            found = answered()
            drum.close()
            return found

        return take, commit, close
    store = STORES[name][1](folder / "seen", memory)

    def take_new(keys: Any) -> int:
        return store.take_new([key.tobytes() for key in keys.byteswap()])

    def end() -> int:
        store.close()
        return 0

    return take_new, store.commit, end


# The frontier.


def measure_frontier(name: str, folder: Path, count: int, memory: int) -> None:
    web = Web(count)
    if name == "Gossamer":
        frontier = open_frontier(folder)
        put = fill(frontier, web, count)
        tenths, wall = exchange(frontier, web)
        frontier.close()
        pair = sum(tenths) / PAIRS
    else:
        put, pair, wall = _least_frontier(STORES[name][1](folder / "waiting", memory), web, count)
    print(
        f"| {name} | {put * 1e6:.1f} | {pair * 1e6:.1f} | {wall / PAIRS * 1e6:.1f} "
        f"| {_memory():.0f} | {_disk(folder):.0f} |",
        flush=True,
    )


def _least_frontier(store: Store, web: Web, count: int) -> tuple[float, float, float]:
    """Seconds of CPU for a put, for a lease with its put, and of the wall for all of these."""
    serial, seconds = 0, 0.0

    def pairs(size: int) -> list[tuple[bytes, bytes]]:
        nonlocal serial, seconds
        candidates, levels = web.candidates(size)
        began = time.process_time()
        found = []
        for candidate, level in zip(candidates, levels, strict=True):
            serial += 1
            place = level.to_bytes(1, "big") + serial.to_bytes(6, "big")
            found.append((_prefix(candidate.url.host) + place, pack(candidate)))
        seconds += time.process_time() - began
        return found

    for number in range(0, count, BATCH):
        batch = pairs(BATCH)
        began = time.process_time()
        store.put(batch)
        if number % 100_000 == 0:
            store.commit()
        seconds += time.process_time() - began
    put = seconds / count
    seconds, wall = 0.0, 0.0
    hosts = deque(f"www.host-{number}.test" for number in range(web.hosts))
    random.Random(1).shuffle(hosts)
    done = 0
    while done < PAIRS:
        began, began_wall = time.process_time(), time.perf_counter()
        for _ in range(BATCH):
            host = hosts.popleft()
            hosts.append(host)
            if (found := store.pop_first(_prefix(host))) is not None:
                unpack(found)
                done += 1
        seconds += time.process_time() - began
        wall += time.perf_counter() - began_wall
        batch = pairs(BATCH)
        began, began_wall = time.process_time(), time.perf_counter()
        store.put(batch)
        if done % 2_000 < BATCH:
            store.commit()
        seconds += time.process_time() - began
        wall += time.perf_counter() - began_wall
    store.close()
    return put, seconds / PAIRS, wall


def _prefix(host: str) -> bytes:
    return host.encode() + b"\0"


# Kills.


def try_kills(name: str, folder: Path, memory: int) -> None:
    chance, named, lost = random.Random(5), 0, 0
    for kill in range(ROUNDS):
        place = folder / str(kill)
        place.mkdir()
        sizes = ("--count", "0", "--memory", str(memory))
        command = [sys.executable, "-m", "benchmarks.state_stores", *sizes]
        child = subprocess.Popen([*command, "--one", "kills", name, str(place)], stdout=-1)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(chance.uniform(0.2, 2.0))
        child.send_signal(signal.SIGKILL)
        told = [int(line) for line in child.stdout.read().split() if line.isdigit()]
        child.wait()
        there = _batches_there(name, place, memory << 20)
        named += len(told)
        lost += sum(number not in there for number in told)
    print(f"| {name} | {ROUNDS} | {named} | {lost} |", flush=True)


def put_until_killed(name: str, folder: Path, count: int, memory: int) -> None:
    print("begun", flush=True)
    for number, commit in _committing(name, folder, memory):
        commit()
        os.write(1, f"{number}\n".encode())


def _committing(name: str, folder: Path, memory: int) -> Iterator[tuple[int, Callable[[], None]]]:
    number = 0
    if name == "Gossamer":
        journal = Journal(folder)
        while True:
            for key in _keys_of(number):
                journal.append(1, key)
            yield number, journal.commit
            number += 1
    store = STORES[name][1](folder / "store", memory)
    while True:
        store.put([(key, _aux(key)) for key in _keys_of(number)])
        yield number, store.commit
        number += 1


def _batches_there(name: str, folder: Path, memory: int) -> set[int]:
    if name == "Gossamer":
        found = {payload for _, payload in replay(folder, 0)}
        return _whole(lambda key: key in found)
    store = STORES[name][1](folder / "store", memory)
    there = _whole(store.has)
    store.close()
    return there


def _whole(has: Callable[[bytes], bool]) -> set[int]:
    there, number = set(), 0
    while all(map(has, _keys_of(number))):
        there.add(number)
        number += 1
    return there


def _keys_of(number: int) -> list[bytes]:
    return [f"{number:08}-{part:02}".encode() for part in range(20)]


def _aux(key: bytes) -> bytes:
    start = int.from_bytes(key[-2:], "big") % (len(_NOISE) - URL_BYTES)
    return _NOISE[start : start + URL_BYTES]


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _disk(folder: Path) -> float:
    files = (path for path in folder.rglob("*") if path.is_file())
    return sum(path.stat().st_blocks * 512 for path in files) / 1e6


WORK: dict[str, Callable[[str, Path, int, int], None]] = {
    "seen": measure_seen,
    "frontier": measure_frontier,
    "kills": put_until_killed,
}

if __name__ == "__main__":
    main()
