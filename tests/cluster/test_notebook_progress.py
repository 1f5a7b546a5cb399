"""In a notebook, a crawl shows how far it is below the cell, and elsewhere nothing."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import gossamer
from gossamer.lab import ServedWeb, Web, serve
from tests.engine.engine_crawling import DNS


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=9, pages=20, hosts=2)) as served:
        yield served


class Cell:
    """What IPython's `display` is asked to show."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.shown = 0

    def display(self, data: dict[str, str], *, raw: bool, display_id: bool) -> "Cell":
        assert raw
        assert display_id
        self.shown += 1
        self.lines.append(data["text/plain"])
        return self

    def update(self, data: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.lines.append(data["text/plain"])


def _crawl(served: ServedWeb, out: Path) -> gossamer.Crawl:
    settings = gossamer.Settings(dns=DNS(servers=(served.dns_address,)))
    return gossamer.Crawl(
        served.seed_url, out=out, settings=settings, delay=0, allow_private=True, scope="all"
    )


def _load(monkeypatch: pytest.MonkeyPatch, shell: Any, cell: Cell) -> None:
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=cell.display))
    monkeypatch.setitem(sys.modules, "ipykernel", SimpleNamespace())


def test_a_notebook_has_one_line_that_ends_with_the_result(
    served: ServedWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = Cell()
    _load(monkeypatch, object(), cell)
    pages = list(_crawl(served, tmp_path / "out"))
    assert cell.shown == 1
    assert len(cell.lines) >= 2
    assert cell.lines[-1].startswith(f"gossamer: {len(pages)} pages, ")
    assert cell.lines[-1].endswith("stopped by: finished")


async def _gather(crawl: gossamer.Crawl) -> int:
    return len([page async for page in crawl])


def test_in_an_event_loop_as_well(
    served: ServedWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncio

    cell = Cell()
    _load(monkeypatch, object(), cell)
    count = asyncio.run(_gather(_crawl(served, tmp_path / "out")))
    assert cell.shown == 1
    assert cell.lines[-1].startswith(f"gossamer: {count} pages, ")


def test_a_program_that_only_has_the_package_shows_nothing(
    served: ServedWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = Cell()
    _load(monkeypatch, None, cell)
    _crawl(served, tmp_path / "out").run()
    assert cell.lines == []
