"""Whoever kills a build, and where: in the end the index is the one that is built at once."""

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from gossamer.core.settings import SearchSettings
from gossamer.lab import Web
from gossamer.search import index_manifest
from gossamer.search.build import Index, anchors, build_index
from gossamer.search.build import index_build as build
from gossamer.search.fields import weights_of
from gossamer.search.index_manifest import read_manifest, shard_folder
from gossamer.search.shard import ShardWriter
from gossamer.text import build_texts, text_build
from tests.engine.virtual import crawl_virtually
from tests.search.build.build_reading import ReadHere

KILLS = 10
MEMORY = 1 << 24
"""Room for one shard at a time."""
POINTS: list[tuple[Any, str]] = [
    (ShardWriter, "put"),
    (ShardWriter, "commit"),
    (ShardWriter, "close"),
    (anchors.AnchorFiles, "flush"),
    (index_manifest, "write_manifest"),
]
"""Calls before and after which the process can be killed."""


class Counted:
    """Counts the moments before and after each point, and has something done at one of them."""

    def __init__(self, at: int, act: Callable[[], object]) -> None:
        self.count, self._at, self._act = 0, at, act
        self._patches = [
            patch.object(place, name, self._wrap(place, name)) for place, name in POINTS
        ]

    def _wrap(self, place: Any, name: str) -> Callable[..., Any]:
        call = getattr(place, name)

        def counted(*arguments: Any) -> Any:
            self._tick()
            result = call(*arguments)
            self._tick()
            return result

        return counted

    def _tick(self) -> None:
        self.count += 1
        if self.count == self._at:
            self._act()

    def build(self, out: Path, *only: int) -> int:
        """How many moments did it have?"""
        for one in self._patches:
            one.start()
        patch.object(build, "_COMMIT_EVERY", 3).start()
        try:
            for _ in build_index(out, MEMORY, only=only):
                pass
        finally:
            patch.stopall()
        return self.count


@pytest.fixture
def crawled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(text_build, "ProcessPoolExecutor", ReadHere)
    out = tmp_path / "out"
    crawl_virtually(Web(9, 30, 6), out, delay=0.2, soft_errors=False, dust=False, partitions=2)
    for _ in build_texts(out, 1, is_latest=True):
        pass
    return out


def test_killed_ten_times_at_random(crawled: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    shutil.copytree(crawled, whole)
    moments = Counted(0, int).build(whole)
    random, killed = Random(4), 0
    while killed < KILLS:
        # What is recorded need not be done again, so later lives have fewer moments.
        killed += _die_at(crawled, random.randrange(1, 1 + moments // (1 + killed // 2)))
        assert (crawled / "index" / "manifest.json").exists() or not _held(crawled)
    Counted(0, int).build(crawled)
    assert _held(crawled) == _held(whole)
    assert not [*(crawled / "index").glob("work*")]
    assert read_manifest(crawled / "index") == read_manifest(whole / "index")
    _compare_answers(Index.open(crawled), Index.open(whole))


def test_builders_of_single_shards_killed_at_random(crawled: Path, tmp_path: Path) -> None:
    """Both at work at the same time, each killed at a moment of its own."""
    whole = tmp_path / "whole"
    shutil.copytree(crawled, whole)
    moments = Counted(0, int).build(whole) // 2
    random, killed = Random(5), 0
    while killed < KILLS:
        most = 1 + moments // (1 + killed // 3)
        children = [_begin_to_die(crawled, random.randrange(1, 1 + most), one) for one in (0, 1)]
        killed += sum(map(_was_killed, children))
    for shard in (0, 1):
        Counted(0, int).build(crawled, shard)
    assert _held(crawled) == _held(whole)
    assert read_manifest(crawled / "index") == read_manifest(whole / "index")
    _compare_answers(Index.open(crawled), Index.open(whole))


def _die_at(out: Path, moment: int) -> bool:
    """Build in a process of its own that is killed at a moment; was there such a moment?"""
    return _was_killed(_begin_to_die(out, moment))


def _begin_to_die(out: Path, moment: int, *only: int) -> int:
    child = os.fork()
    if not child:
        try:
            Counted(moment, lambda: os.kill(os.getpid(), signal.SIGKILL)).build(out, *only)
        finally:
            os._exit(0)
    return child


def _was_killed(child: int) -> bool:
    status = os.waitpid(child, 0)[1]
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _held(out: Path) -> list[list[list[int]]]:
    """The keys and versions in each shard."""
    found = []
    for shard in range(2):
        folder = shard_folder(out / "index", shard)
        if folder.exists():
            writer = ShardWriter(folder, weights_of(SearchSettings()), MEMORY)
            found.append([column.tolist() for column in writer.held()])
            writer.close()
    return found


def _compare_answers(one: Index, other: Index) -> None:
    assert len(one) == len(other) > 20
    for question in ("site:test", "the", "page OR water OR time", "lang:en of and"):
        found, expected = one.search(question), other.search(question)
        assert [hit.url for hit in found.hits] == [hit.url for hit in expected.hits]
        scores = [hit.score for hit in expected.hits]
        assert [hit.score for hit in found.hits] == pytest.approx(scores, rel=1e-6)
        assert found.total == expected.total
