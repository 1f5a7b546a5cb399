"""A crawl directory that was copied or moved is called by the name that it has now."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import gossamer
from gossamer.lab import ServedWeb, Web, serve
from tests.cli.test_commands import forked, local
from tests.copying import copy_crawl


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=9, pages=20, hosts=2)) as served:
        yield served


@pytest.mark.parametrize("partitions", ["1", "2"])
def test_the_status_of_a_copy(served: ServedWeb, tmp_path: Path, partitions: str) -> None:
    out, copy = tmp_path / "old-name", tmp_path / "copy"
    limits = ("--max-pages", "5", "--partitions", partitions)
    assert forked("crawl", served.seed_url, "-o", str(out), *local(served), *limits).returncode == 0
    copy_crawl(out, copy)
    said = "".join(forked("status", str(copy)).stdout.split())
    assert f"directory{copy}" in said
    assert f"`gossamerresume{copy}" in said
    assert "old-name" not in said
    assert json.loads(forked("status", str(copy), "--json").stdout)["directory"] == str(copy)
    assert gossamer.open(copy).summary().directory == str(copy)
    assert gossamer.open(out).summary().directory == str(out)
