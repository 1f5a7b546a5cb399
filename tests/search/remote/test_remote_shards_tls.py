"""With TLS, nobody reads what is asked and found who has no certificate of the authority."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from gossamer.cli import run
from gossamer.cluster.remote.connection_tls import ConnectionTls
from gossamer.core.directory import Directory
from gossamer.core.errors import GossamerError
from gossamer.core.settings import Settings
from gossamer.search.build import Index
from gossamer.search.remote import ShardServer, open_remote
from tests.cluster.remote.listener import Listener
from tests.cluster.remote.tls_files import make_files, switch_on
from tests.misbehaving.certificates import Authority
from tests.search.made import pages, questions, write_index

PAGES = pages(30)
SECRET = b"s" * 64


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("crawl")
    Directory(out).write_settings(Settings())
    write_index(out / "index", PAGES, 1, lambda page: (0, 0))
    return out


@contextmanager
def serving(crawl: Path, tls: ConnectionTls | None) -> Iterator[tuple[str, int]]:
    server = ShardServer(crawl, SECRET, tls=tls)
    thread = Thread(target=server.serve)
    thread.start()
    try:
        yield server.address
    finally:
        server.close()
        thread.join()


def name(address: tuple[str, int]) -> str:
    return f"{address[0]}:{address[1]}"


@pytest.mark.parametrize("has_tls", [True, False])
def test_who_listens_learns_nothing(crawl: Path, tmp_path: Path, has_tls: bool) -> None:
    files = make_files(Authority(), tmp_path) if has_tls else None
    question = questions(1)[0]
    with serving(crawl, files) as address:
        listener = Listener(address)
        index = open_remote([name(listener.address)], SECRET, crawl, files)
        found = [hit.url for hit in index.search(question).hits]
        index._all._parts[0].close()  # type: ignore[attr-defined]
        listener.hear_out()
    assert found == [hit.url for hit in Index.open(crawl).search(question).hits] != []
    assert (found[0].encode() in listener.heard) is not has_tls
    assert (b"gossamer line" in listener.heard) is not has_tls


def test_strangers_hear_nothing(crawl: Path, tmp_path: Path) -> None:
    """One without TLS, one who trusts another authority; and TLS where there is none."""
    files = make_files(Authority(), tmp_path)
    (tmp_path / "their").mkdir()
    theirs = make_files(Authority("Another one"), tmp_path / "their")
    with serving(crawl, files) as address:
        with pytest.raises(GossamerError, match="if they have TLS, set RAY_USE_TLS=1 here, too"):
            open_remote([name(address)], SECRET, crawl)
        with pytest.raises(GossamerError, match="certificate verify failed"):
            open_remote([name(address)], SECRET, crawl, theirs)
        assert len(open_remote([name(address)], SECRET, crawl, files)) == len(PAGES)
    with serving(crawl, None) as address, pytest.raises(GossamerError, match="do not answer"):
        open_remote([name(address)], SECRET, crawl, files)


def test_commands_use_what_the_environment_names(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = make_files(Authority(), tmp_path)
    switch_on(files, monkeypatch)
    (tmp_path / "secret").write_bytes(SECRET)
    with serving(crawl, files) as address:
        words = ["--at", name(address), "--secret", str(tmp_path / "secret")]
        assert run(["search", str(crawl), questions(1)[0], *words]) == 0
    assert "pages match" in capsys.readouterr().out
    monkeypatch.setenv("RAY_TLS_SERVER_CERT", str(tmp_path / "nothing"))
    assert run(["shards", str(crawl), "--secret", str(tmp_path / "secret")]) == 1
    assert "cannot be used" in capsys.readouterr().err
