"""Shards on several machines, here several servers on loopback: they answer as one index."""

import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from gossamer.cli import run
from gossamer.cluster.remote.handshake import RemoteConnectionError, present_oneself
from gossamer.core.directory import Directory
from gossamer.core.errors import GossamerError
from gossamer.core.settings import Settings
from gossamer.core.url import owner_of
from gossamer.search import TextIndex
from gossamer.search.build import Index
from gossamer.search.fields import host_of
from gossamer.search.remote import ShardServer, make_secret, open_remote
from gossamer.search.remote.shard_calls import FrequencyCall, read_message, write_message
from tests.examples import examples
from tests.search.made import pages, questions, write_index

PAGES = pages(300)
SHARDS = 4


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("crawl")
    Directory(out).write_settings(Settings())
    write_index(out / "index", PAGES, SHARDS, lambda page: (owner_of(host_of(page.url), SHARDS), 0))
    return out


@pytest.fixture(scope="module")
def secret(crawl: Path) -> Path:
    make_secret(crawl / "secret")
    return crawl / "secret"


@pytest.fixture(scope="module")
def places(crawl: Path, secret: Path) -> Iterator[list[str]]:
    """Two servers, for one shard and for three."""
    servers = [ShardServer(crawl, make_secret(secret), shards=some) for some in ((1,), (0, 2, 3))]
    threads = [Thread(target=server.serve) for server in servers]
    for thread in threads:
        thread.start()
    yield [f"{host}:{port}" for host, port in (server.address for server in servers)]
    for server, thread in zip(servers, threads, strict=True):
        server.close()
        thread.join()


@pytest.fixture(scope="module")
def far(crawl: Path, secret: Path, places: list[str]) -> TextIndex:
    return open_remote(places, make_secret(secret), crawl)


@pytest.fixture(scope="module")
def near(crawl: Path) -> TextIndex:
    return Index.open(crawl)


def check_equal(far: TextIndex, near: TextIndex, question: str) -> int:
    found, expected = far.search(question), near.search(question)
    assert [hit.url for hit in found.hits] == [hit.url for hit in expected.hits], question
    scores = [hit.score for hit in expected.hits]
    assert [hit.score for hit in found.hits] == pytest.approx(scores, rel=2e-6)
    assert [hit.snippet for hit in found.hits] == [hit.snippet for hit in expected.hits]
    assert (found.total, found.suggestion) == (expected.total, expected.suggestion)
    return len(found.hits)


def test_far_shards_answer_as_one_index(far: TextIndex, near: TextIndex) -> None:
    """The same ten pages in the same order with the same scores."""
    assert len(far) == len(near) == len(PAGES)
    some = questions(examples(200))
    assert sum(check_equal(far, near, question) for question in some) > 5 * len(some)


def test_other_questions(far: TextIndex, near: TextIndex) -> None:
    for question in ("site:h1.test", "lang:de", f"related:{PAGES[0].url}", "link:http://a.test/"):
        check_equal(far, near, question)
    assert far.page(PAGES[7].url) == near.page(PAGES[7].url) is not None
    assert far.page("http://nowhere.test/") is None


def test_commands(
    crawl: Path, secret: Path, places: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    question = questions(1)[0]
    assert run(["search", str(crawl), question, "--json"]) == 0
    expected = capsys.readouterr().out
    far = ["--secret", str(secret), *(word for place in places for word in ("--at", place))]
    assert run(["search", str(crawl), question, "--json", *far]) == 0
    urls = [line.partition('","')[0] for line in capsys.readouterr().out.splitlines()]
    assert urls == [line.partition('","')[0] for line in expected.splitlines()]
    assert run(["shards", str(crawl), "--secret", str(secret), "--only", "9"]) == 1
    assert "has no shard 9, but 0 to 3" in capsys.readouterr().err


def test_who_does_not_know_the_secret_hears_nothing(crawl: Path, places: list[str]) -> None:
    with pytest.raises(GossamerError, match=r"do not answer: .*has another secret"):
        open_remote(places[:1], b"x" * 64, crawl)


def test_a_machine_that_is_gone_is_named(crawl: Path, secret: Path, places: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(GossamerError, match=f"the shards at 127.0.0.1:{port} cannot be reached"):
        open_remote([places[0], f"127.0.0.1:{port}"], make_secret(secret), crawl)
    with pytest.raises(GossamerError, match="'nowhere' is not an address; write HOST:PORT"):
        open_remote(["nowhere"], make_secret(secret), crawl)


def test_a_machine_that_goes_in_the_midst_is_named(crawl: Path, secret: Path) -> None:
    """An answer without its pages would be a lie."""
    server = ShardServer(crawl, make_secret(secret))
    thread = Thread(target=server.serve)
    thread.start()
    index = open_remote([f"127.0.0.1:{server.address[1]}"], make_secret(secret), crawl)
    assert index.search("site:test").hits
    index._all._parts[0].close()  # type: ignore[attr-defined]
    with pytest.raises(GossamerError, match=r"the shards at 127.0.0.1:.* do not answer"):
        index.search("site:test")
    server.close()
    thread.join()


def test_lines_for_something_else_are_refused(secret: Path, places: list[str]) -> None:
    host, _, port = places[0].rpartition(":")
    with (
        socket.create_connection((host, int(port))) as line,
        pytest.raises(RemoteConnectionError, match="only shards of an index are here"),
    ):
        present_oneself(line, make_secret(secret), "line", "")


def test_a_call_that_makes_no_sense_is_refused(secret: Path, places: list[str]) -> None:
    host, _, port = places[0].rpartition(":")
    with socket.create_connection((host, int(port))) as line:
        present_oneself(line, make_secret(secret), "search", "")
        for call in ("what", {"type": "FindCall", "key": "x"}, FrequencyCall("no_such_field", "a")):
            write_message(line, call)
            assert b"refused" in read_message(line)


def test_a_secret_is_for_its_owner_and_long(tmp_path: Path) -> None:
    made = make_secret(tmp_path / "secret")
    assert len(made) == 64
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
    assert make_secret(tmp_path / "secret") == made
    (tmp_path / "short").write_text("abc")
    with pytest.raises(GossamerError, match="has fewer than 32 characters"):
        make_secret(tmp_path / "short")
