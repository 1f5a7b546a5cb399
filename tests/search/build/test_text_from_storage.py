"""Shards of a crawl that is in remote storage: each machine fetches what its own shards need, and makes
them."""

import os
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import patch

import pytest

import gossamer
from gossamer.cli import run
from gossamer.cluster.storage.object_storage import FolderStorage, MissingError
from gossamer.cluster.storage.partition_storage import storage_folder
from gossamer.cluster.storage.reading_copy import StorageArchive
from gossamer.cluster.storage.restore import read_manifest as read_storage
from gossamer.cluster.storage.storage_manifest import StorageManifest
from gossamer.engine import commits
from gossamer.lab import Web, serve
from gossamer.search.build import Index
from gossamer.search.index_manifest import read_manifest
from gossamer.search.remote import ShardServer, open_remote
from gossamer.text import text_build
from gossamer.text.text_from_storage import _archive
from tests.engine.engine_forks import command
from tests.search.build.build_reading import ReadHere
from tests.search.build.test_index_processes import held, questions

SECRET = b"s" * 64
SHARDS = 3


@pytest.fixture(autouse=True)
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_build, "ProcessPoolExecutor", ReadHere)
    _archive.cache_clear()


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a crawl and its remote storage, and the home as it was in the midst: many small files."""
    folder = tmp_path_factory.mktemp("crawled")
    storage = f"file://{folder / 'storage'}"
    with serve(Web(seed=15, pages=60, hosts=12)) as served:
        small = ("store.warc_size=32768", "store.rows=20", "store.checkpoint_every=0.5")
        with death_in_the_midst(folder / "storage"):
            ended = command(
                "crawl", served.seed_url, "-o", str(folder / "whole"), "--storage", storage, "-q",
                "--dns", served.dns_address, "--partitions", str(SHARDS), "--scope", "all",
                "--delay", "0", "--allow-private", *(word for one in small for word in ("--set", one)),
            )  # fmt: skip
        assert ended.status == -signal.SIGKILL
        shutil.copytree(folder / "storage", folder / "half")
        gossamer.Crawl.resume(folder / "whole").run()
    whole = str(folder / "whole")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(text_build, "ProcessPoolExecutor", ReadHere)
        for words in (["graph", "build"], ["graph", "rank", "--storage", storage], ["index"]):
            assert run([*words, whole, "-q"]) == 0
    return folder


@contextmanager
def death_in_the_midst(storage: Path) -> Iterator[None]:
    """Kill a crawl that begins within this when all its partitions are in remote storage, and some records
    in commit bundles.

    That is looked at after each object that it sends. Each turn sends what it did, so that it comes to that
    long before the end, however fast the machine is.
    """
    put = FolderStorage.put

    def fatal(object_storage: FolderStorage, name: str, data: bytes) -> None:
        put(object_storage, name, data)
        try:
            manifests = manifests_of(storage)
        except (FileNotFoundError, MissingError):
            return  # another partition tidied up in the midst of the look
        if all(manifest.files for manifest in manifests) and unnamed_archives(manifests):
            os.killpg(0, signal.SIGKILL)

    with patch.object(FolderStorage, "put", fatal), patch.object(commits, "_COMMIT_EVERY", 0.0):
        yield


@pytest.fixture
def folder(crawled: Path, tmp_path: Path) -> Path:
    """The whole crawl with ranks and with an index that was made by one process, and its remote storage."""
    for name in ("storage", "whole", "half"):
        shutil.copytree(crawled / name, tmp_path / name)
    return tmp_path


def index(folder: Path, out: str, *more: str) -> int:
    storage = f"file://{folder / 'storage'}"
    return run(["index", storage, "-o", str(folder / out), "-q", "--workers", "1", *more])


class Fetched:
    """Counts the bytes that are read from a home, by folder, and those of the archive, wherever they are.

    What was written last of the archive may still be in commit bundles.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bytes = Counter[str]()
        self.archived = 0
        get, read = FolderStorage.get, StorageArchive.read

        def counted(object_storage: FolderStorage, name: str, *part: Any) -> bytes:
            data = get(object_storage, name, *part)
            self.bytes[name.partition("/")[0]] += len(data)
            return data

        def counted_records(archive: StorageArchive, name: str, start: int, size: int) -> bytes:
            self.archived += size
            return read(archive, name, start, size)

        monkeypatch.setattr(FolderStorage, "get", counted)
        monkeypatch.setattr(StorageArchive, "read", counted_records)


def test_machines_that_make_their_own_shards_from_home(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their shards are those of the whole, they fetch their own part, and answer where they lie."""
    whole, archive, in_all = folder / "whole", 0, 0
    for file in (folder / "storage" / "warc").glob("*.warc.gz"):
        archive += file.stat().st_size
    for shard in range(SHARDS):
        fetched = Fetched(monkeypatch)
        assert index(folder, f"machine-{shard}", "--only", str(shard)) == 0
        machine = folder / f"machine-{shard}"
        assert bool(fetched.archived) == bool(held_by(machine, shard))
        in_all += fetched.archived
        assert sum(file.stat().st_size for file in (machine / "warc").iterdir()) == 0
        assert held_by(machine, shard) == held(whole)[shard]
        monkeypatch.undo()
        monkeypatch.setattr(text_build, "ProcessPoolExecutor", ReadHere)
    assert in_all < 1.5 * archive, "not the pages of others"
    servers = [
        ShardServer(folder / f"machine-{shard}", SECRET, shards=(shard,)) for shard in range(SHARDS)
    ]
    threads = [Thread(target=server.serve) for server in servers]
    for thread in threads:
        thread.start()
    try:
        places = [f"127.0.0.1:{server.address[1]}" for server in servers]
        far, near = open_remote(places, SECRET, folder / "machine-0"), Index.open(whole)
        assert len(far) == len(near) > 20
        for question in questions(whole, 40):
            found, expected = far.search(question), near.search(question)
            assert [hit.url for hit in found.hits] == [hit.url for hit in expected.hits], question
    finally:
        for server, thread in zip(servers, threads, strict=True):
            server.close()
            thread.join()


def manifests_of(storage: Path) -> list[StorageManifest]:
    """What each partition has in remote storage by now."""
    return [
        read_storage(FolderStorage(storage), storage_folder(number)) for number in range(SHARDS)
    ]


def unnamed_archives(manifests: list[StorageManifest]) -> list[str]:
    """WARC files of remote storage that do not lie there under their own names."""
    return [
        path
        for manifest in manifests
        for path in manifest.files
        if path.endswith(".warc.gz") and not manifest.has_own_name(path)
    ]


def held_by(out: Path, shard: int) -> Any:
    for other in range(SHARDS):
        (out / "index" / f"{other:05}").mkdir(exist_ok=True)
    return held(out)[shard]


def test_what_has_not_changed_is_not_fetched_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.move(folder / "storage", folder / "later")
    shutil.move(folder / "half", folder / "storage")
    assert unnamed_archives(manifests_of(folder / "storage")), (
        "some records are in commit bundles only"
    )
    assert index(folder, "copy") == 0
    first = capsys.readouterr().out
    assert int(first.split()[0]) < len(Index.open(folder / "whole"))
    fetched = Fetched(monkeypatch)
    assert index(folder, "copy") == 0
    assert "(0 new or different, 0 gone)" in capsys.readouterr().out
    assert fetched.bytes.keys() <= {"crawl.toml", "state"}, "commit bundles say what there is"
    shutil.rmtree(folder / "storage")
    shutil.move(folder / "later", folder / "storage")
    _archive.cache_clear()
    assert index(folder, "copy", "--processes", "1") == 0
    assert held(folder / "copy") == held(folder / "whole")
    assert read_manifest(folder / "copy" / "index") == read_manifest(folder / "whole" / "index")


def test_killed_while_it_fetches(folder: Path) -> None:
    """At any object; the next one fetches what is missing."""
    for moment in (2, 5, 9, 14, 20, 30):
        child = os.fork()
        if not child:
            _die_at(moment, folder)
        assert os.waitpid(child, 0)[1] in (0, signal.SIGKILL)
    assert index(folder, "copy") == 0
    assert held(folder / "copy") == held(folder / "whole")


def _die_at(moment: int, folder: Path) -> None:
    get, count = FolderStorage.get, 0

    def dying(object_storage: FolderStorage, name: str, *part: Any) -> bytes:
        nonlocal count
        count += 1
        if count == moment:
            os.kill(os.getpid(), signal.SIGKILL)
        return get(object_storage, name, *part)

    try:
        with patch.object(FolderStorage, "get", dying):
            index(folder, "copy")
    finally:
        os._exit(0)


def test_mistakes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    storage = f"file://{folder / 'storage'}"
    assert run(["index", storage]) == 1
    assert "no directory was given for the index; give one with -o DIR" in capsys.readouterr().err
    assert run(["index", str(folder / "whole"), "-o", str(folder / "x")]) == 1
    assert "-o is for a crawl that is in remote storage" in capsys.readouterr().err
    assert run(["index", f"{storage}/nothing", "-o", str(folder / "x")]) == 1
    assert "holds no crawl" in capsys.readouterr().err
    assert index(folder, "whole") == 1
    assert "was not made by `gossamer index`" in capsys.readouterr().err
    assert index(folder, "copy", "--only", "7") == 1
    assert "has no shard 7, but 0 to 2" in capsys.readouterr().err
    shutil.copytree(folder / "storage", folder / "other")
    assert run(["index", f"file://{folder / 'other'}", "-o", str(folder / "copy")]) == 1
    assert f"is a copy of {storage}" in capsys.readouterr().err
    assert run(["resume", str(folder / "copy")]) == 1
    [line] = capsys.readouterr().err.strip().splitlines()
    assert "the crawl was continued elsewhere" in line, "no crawl goes on from tables alone"
