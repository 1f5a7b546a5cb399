"""Shards of one index, each made on a machine of its own from a copy of the crawl, are those of the whole."""

import shutil
from pathlib import Path
from threading import Thread

import pytest
from pyarrow import parquet

from gossamer.cli import run
from gossamer.lab import Web
from gossamer.search.build import Index
from gossamer.search.remote import ShardServer, open_remote
from gossamer.text import text_build
from tests.engine.virtual import crawl_virtually
from tests.search.build.build_reading import ReadHere

SECRET = b"s" * 64
QUESTIONS = ("site:test", "the", "page OR water OR time", "lang:en of and")


def rows(crawl: Path) -> int:
    return sum(parquet.read_metadata(file).num_rows for file in (crawl / "text").glob("*.parquet"))


def test_each_machine_makes_its_own_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(text_build, "ProcessPoolExecutor", ReadHere)
    whole, machines = tmp_path / "whole", [tmp_path / "first", tmp_path / "second"]
    crawl_virtually(Web(9, 30, 6), whole, delay=0.2, soft_errors=False, dust=False, partitions=2)
    for number, machine in enumerate(machines):
        shutil.copytree(whole, machine)
        assert run(["index", str(machine), "--only", str(number)]) == 0
    assert run(["index", str(whole)]) == 0
    read = [rows(machine) for machine in machines]
    assert min(read) > 0, "each had something to read"
    assert max(read) < rows(whole), "and none had to read all"
    assert run(["index", str(whole), "--only", "2"]) == 1
    assert "has no shard 2, but 0 to 1" in capsys.readouterr().err

    servers = [
        ShardServer(machine, SECRET, shards=(number,)) for number, machine in enumerate(machines)
    ]
    threads = [Thread(target=server.serve) for server in servers]
    for thread in threads:
        thread.start()
    try:
        far = open_remote([f"127.0.0.1:{server.address[1]}" for server in servers], SECRET, whole)
        near = Index.open(whole)
        assert len(far) == len(near) > 20
        for question in QUESTIONS:
            found, expected = far.search(question), near.search(question)
            assert [hit.url for hit in found.hits] == [hit.url for hit in expected.hits]
            assert found.total == expected.total
    finally:
        for server, thread in zip(servers, threads, strict=True):
            server.close()
            thread.join()
