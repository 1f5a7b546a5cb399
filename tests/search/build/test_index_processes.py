"""Shards that are made by several processes, each by its own, are those that one process makes."""

import os
import shutil
import signal
from multiprocessing import active_children, get_context
from pathlib import Path
from random import Random

import pytest

from gossamer.cli import index_command, run
from gossamer.core.directory import locked_folder, wait_for
from gossamer.core.errors import DirectoryError
from gossamer.core.settings import SearchSettings
from gossamer.core.url import owner_of
from gossamer.lab import Web
from gossamer.output.parquet_batches import read_batches
from gossamer.search.build import Index, build_in_processes, build_index, index_processes
from gossamer.search.fields import host_of, weights_of
from gossamer.search.index_manifest import read_manifest, shard_folder
from gossamer.search.shard import ShardWriter
from gossamer.text import text_build
from tests.engine.virtual import crawl_virtually
from tests.examples import examples
from tests.search.build.build_reading import ReadHere

MEMORY = 1 << 24
SHARDS = 3


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of three partitions with ranks, and its index, made by one process."""
    out = tmp_path_factory.mktemp("crawl") / "whole"
    crawl_virtually(Web(9, 40, 9), out, delay=0.2, soft_errors=False, partitions=SHARDS)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(text_build, "ProcessPoolExecutor", ReadHere)
        for words in (["graph", "build"], ["graph", "rank"], ["index"]):
            assert run([*words, str(out), "-q"]) == 0
    return out


@pytest.fixture
def crawl(whole: Path, tmp_path: Path) -> Path:
    """The same crawl without an index."""
    shutil.copytree(whole, tmp_path / "crawl", ignore=shutil.ignore_patterns("index"))
    return tmp_path / "crawl"


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_build, "ProcessPoolExecutor", ReadHere)


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Builders are copies of this process: others take longer to begin than to make these few pages."""
    monkeypatch.setattr(index_processes, "get_context", lambda _: get_context("fork"))


def held(out: Path) -> list[list[list[int]]]:
    """The keys and versions in each shard. A version tells all that is known of a page."""
    found = []
    for shard in range(SHARDS):
        writer = ShardWriter(
            shard_folder(out / "index", shard), weights_of(SearchSettings()), MEMORY
        )
        found.append([column.tolist() for column in writer.held()])
        writer.close()
    return found


def questions(out: Path, count: int) -> list[str]:
    """Words of the pages, one to three of them."""
    texts = [
        text
        for file in sorted((out / "text").glob("*.parquet"))
        for batch in read_batches(file, ("main_text",))
        for text in batch.column(0).to_pylist()
    ]
    random, words = Random(3), sorted({word for text in texts for word in text.split()})
    made = [random.sample(words, random.randrange(1, 4)) for _ in range(count)]
    return [random.choice((" ", " OR ")).join(some) for some in made]


def assert_same(out: Path, whole: Path) -> None:
    assert held(out) == held(whole)
    assert read_manifest(out / "index") == read_manifest(whole / "index")
    assert not [*(out / "index").glob("work*")]
    one, other, hits = Index.open(out), Index.open(whole), 0
    for question in questions(whole, examples(200)):
        found, expected = one.search(question), other.search(question)
        assert [hit.url for hit in found.hits] == [hit.url for hit in expected.hits], question
        scores = [hit.score for hit in expected.hits]
        assert [hit.score for hit in found.hits] == pytest.approx(scores, rel=1e-6)
        hits += len(found.hits)
    assert hits > examples(200), "most questions are about something"


def test_shards_know_what_other_partitions_have(whole: Path) -> None:
    """Else the tests below would show little: pages are called something by hosts of other shards."""

    def shard(url: str) -> int:
        return owner_of(host_of(url), SHARDS)

    links = [
        pair
        for file in (whole / "links").glob("*.parquet")
        for batch in read_batches(file, ("source", "target", "anchor"))
        for pair in zip(*(column.to_pylist() for column in batch.columns), strict=True)
    ]
    assert sum(shard(source) != shard(target) for source, target, text in links if text) > 20
    assert all(len(keys) > 3 for keys, _ in held(whole)), "no shard is empty"


def test_several_processes_make_the_index_of_one(whole: Path, crawl: Path) -> None:
    *_, last = build_in_processes(crawl, MEMORY, 2)
    assert (last.step, last.done, last.written) == ("done", len(Index.open(whole)), last.total)
    assert_same(crawl, whole)


@pytest.mark.usefixtures("forks", "read_here")
def test_the_command(whole: Path, crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = len(Index.open(whole))
    for more, new in (([], pages), ([], 0), (["--rebuild"], pages)):
        assert run(["index", str(crawl), "-q", "--processes", str(SHARDS), *more]) == 0
        assert f"{pages} pages in the index ({new} new" in capsys.readouterr().out
        assert_same(crawl, whole)


@pytest.mark.usefixtures("forks")
def test_a_builder_that_is_killed_is_named(whole: Path, crawl: Path) -> None:
    building = build_in_processes(crawl, MEMORY, SHARDS)
    next(building)
    for child in active_children():
        os.kill(child.pid or 0, signal.SIGKILL)
    with pytest.raises(DirectoryError, match="has crashed; run the command again to continue"):
        list(building)
    assert not active_children(), "none is left behind"
    list(build_in_processes(crawl, MEMORY, SHARDS))
    assert_same(crawl, whole)


@pytest.mark.usefixtures("forks")
def test_why_a_builder_cannot_go_on_is_told(crawl: Path) -> None:
    with (
        locked_folder(crawl, "index/00001"),
        pytest.raises(DirectoryError, match="index/00001 is in use by process"),
    ):
        list(build_in_processes(crawl, MEMORY, SHARDS))


@pytest.mark.usefixtures("read_here")
def test_shards_one_by_one(
    whole: Path, crawl: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By commands of their own; one shard can be made while another is."""
    for shard in range(SHARDS):
        with locked_folder(crawl, f"index/{(shard + 1) % SHARDS:05}"):
            assert run(["index", str(crawl), "-q", "--only", str(shard)]) == 0
    assert_same(crawl, whole)
    with locked_folder(crawl, "index/00001"):
        assert run(["index", str(crawl), "-q"]) == 1
        assert "index/00001 is in use by" in capsys.readouterr().err

    lock = locked_folder(crawl, "text")

    def wait_until_they_are_done(path: Path, name: str) -> None:
        lock.__exit__(None, None, None)
        wait_for(path, name)

    monkeypatch.setattr(index_command, "wait_for", wait_until_they_are_done)
    with lock:
        assert run(["index", str(crawl), "-q"]) == 1, "all of it would read the same pages"
        assert run(["index", str(crawl), "-q", "--only", "1"]) == 0


def test_a_shard_anew_leaves_the_others_alone(whole: Path, crawl: Path) -> None:
    list(build_index(crawl, MEMORY))
    before = held(crawl)
    *_, last = build_index(crawl, MEMORY, rebuild=True, only=[1])
    assert last.written == len(before[1][0])
    assert_same(crawl, whole)
    other = SearchSettings(title=3)
    with pytest.raises(
        DirectoryError, match="other weights; rebuild all its shards with --rebuild"
    ):
        list(build_index(crawl, MEMORY, other, rebuild=True, only=[1]))
    list(build_index(crawl, MEMORY, other, rebuild=True))
