"""Samples in the documentation run, on a web that is served here."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gossamer
from gossamer.lab import ServedWeb, Web, serve
from tests.engine.engine_crawling import DNS

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=9, pages=60, hosts=5)) as served:
        yield served


@pytest.fixture
def elsewhere(served: ServedWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Crawls of example.org are crawls of the served web, and all else of them is as it stands there."""

    class Elsewhere(gossamer.Crawl):
        def __init__(self, *seeds: str, **options: Any) -> None:
            settings = gossamer.Settings(dns=DNS(servers=(served.dns_address,)))
            if any("example.org" in seed for seed in seeds):
                here = {"settings": settings, "delay": 0, "allow_private": True}
                seeds, options = (served.seed_url,), {"scope": "all", **here, **options}
            super().__init__(*seeds, **options)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(gossamer, "Crawl", Elsewhere, raising=False)


def run_samples(path: str) -> dict[str, Any]:
    """Run the blocks of a page one after the other; examples with prompts are doctests of the sources."""
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", (ROOT / path).read_text("utf-8"), re.DOTALL):
        if not block.startswith(">>>"):
            exec(compile(block, path, "exec"), names)
    return names


@pytest.mark.usefixtures("elsewhere")
def test_readme(capsys: pytest.CaptureFixture[str]) -> None:
    run_samples("README.md")
    assert capsys.readouterr().out.count("200 http://") == 60


@pytest.mark.usefixtures("elsewhere")
def test_library() -> None:
    names = run_samples("docs/library.md")
    assert (names["again"].summary().pages, names["count"]) == (30, 20)
    assert len(names["titles"]) == len(names["lengths"]) == 30
    assert all(length.endswith(" bytes") for length in names["lengths"])
    assert names["one"].title == names["titles"][names["one"].url]
    assert names["found"] > 100


@pytest.mark.usefixtures("elsewhere")
def test_history(capsys: pytest.CaptureFixture[str]) -> None:
    gossamer.Crawl("https://example.org/", out="example").run()
    names = run_samples("docs/history.md")
    assert capsys.readouterr().out.count("http://") == 60
    assert len(names["versions"]) == len(names["events"]) == 0, "example.org is a web of ours"


@pytest.mark.usefixtures("elsewhere")
def test_partitions(capfd: pytest.CaptureFixture[str]) -> None:
    run_samples("docs/partitions.md")
    assert capfd.readouterr().out.count("200 http://") == 60


@pytest.mark.usefixtures("elsewhere")
def test_ordering() -> None:
    names = run_samples("docs/ordering.md")
    assert len(names["first"]) == 10
    assert names["crawl"].run().pages == 60


@pytest.mark.usefixtures("elsewhere")
def test_lab() -> None:
    assert len(run_samples("docs/lab.md")["truth"]) > 20_000
