import tracemalloc
from pathlib import Path

import pytest

from gossamer.core.disk.disk_cache import DiskCache
from gossamer.pipeline.robots.origin_cache import KnownRobots, Memory
from gossamer.pipeline.robots.robots_rules import Rule


def known(origin: str, *paths: str) -> KnownRobots:
    rules = tuple(Rule(False, path) for path in paths)
    return KnownRobots(origin, "Gossamer", 0.0, 10.0, 200, rules=rules)


def test_the_least_recently_used_is_forgotten() -> None:
    memory = Memory(max_entries=2, max_bytes=1 << 20)
    memory.keep(known("a"))
    memory.keep(known("b"))
    assert memory.use("a") is not None
    memory.keep(known("c"))
    assert [record.origin for record in memory] == ["a", "c"]
    assert memory.evicted == 1


def test_what_memory_has_no_room_for_is_found_in_the_cellar(tmp_path: Path) -> None:
    disk_cache = DiskCache(tmp_path / "robots", most_bytes=1 << 20)
    memory = Memory(max_entries=2, max_bytes=1 << 20, disk_cache=disk_cache)
    for name in "abcdef":
        memory.keep(known(name, f"/{name}"))
    assert memory.evicted == 4
    for name in "abcdef":
        entry = memory.use(name)
        assert entry is not None
        assert entry.known == known(name, f"/{name}")
        assert len(memory) <= 2
    memory.keep(known("a", "/newer"))
    assert [memory.look(name) for name in ("b", "c", "unknown")] == [
        known("b", "/b"),
        known("c", "/c"),
        None,
    ]
    assert memory.look("a") == known("a", "/newer")
    disk_cache.close()


def test_looking_is_not_using() -> None:
    memory = Memory(max_entries=2, max_bytes=1 << 20)
    memory.keep(known("a"))
    memory.keep(known("b"))
    assert memory.look("a") == known("a")
    memory.keep(known("c"))
    assert memory.look("a") is None


def test_large_rules_push_out_others_but_never_themselves() -> None:
    memory = Memory(max_entries=100, max_bytes=100_000)
    for name in "abc":
        memory.keep(known(name, "/"))
    memory.keep(known("large", *(f"/{number}" for number in range(10_000))))
    assert [record.origin for record in memory] == ["large"]
    memory.keep(known("d", "/"))
    assert [record.origin for record in memory] == ["d"]
    assert memory.bytes < 100_000


def test_what_is_replaced_no_longer_counts() -> None:
    memory = Memory(max_entries=100, max_bytes=1 << 20)
    memory.keep(known("a", *("/x" for _ in range(1000))))
    memory.keep(known("a"))
    alone = Memory(max_entries=100, max_bytes=1 << 20)
    alone.keep(known("a"))
    assert len(memory) == 1
    assert memory.bytes == alone.bytes


@pytest.mark.parametrize("path", ["/folder{}", "/*/folder{}*x", "/{}*ab" + "*cd" * 50, "/*%2F{}"])
def test_the_estimate_of_bytes_is_not_too_low(path: str) -> None:
    paths = [[path.format(number * 1000 + rule) for rule in range(50)] for number in range(40)]
    memory = Memory(max_entries=1000, max_bytes=1 << 30)
    tracemalloc.start()
    try:
        for number, rules in enumerate(paths):
            memory.keep(known(f"http://host{number}", *rules))
        used = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert used < memory.bytes
