"""Items that parsers of a program yield: stored with their pages, exactly once."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import gossamer
from gossamer.lab import ServedWeb, Web, serve
from gossamer.pipeline.parse import Isolated
from gossamer.verify import inspect
from tests.engine.engine_crawling import DNS, query
from tests.engine.engine_forks import command, death_after
from tests.engine.engine_reading import read

pytestmark = pytest.mark.usefixtures("interruptible")


class Product(msgspec.Struct):
    name: str
    price: float | None = None


@dataclass
class Offer:
    seller: str


def read_html(page: gossamer.Page) -> gossamer.Document:
    """The built-in reading, and items whose fields differ from page to page."""
    document = read(page)
    kinds: tuple[Any, ...] = (
        Product(document.title, 2.5),
        Offer("ü"),
        {"n": len(page.url), "x": [1]},
    )
    return msgspec.structs.replace(document, items=kinds[: 1 + len(page.url) % 3])


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=4, pages=150, hosts=12)) as served:
        yield served


def crawl(served: ServedWeb, out: Path, **knobs: Any) -> gossamer.Crawl:
    settings = gossamer.Settings(dns=DNS(servers=(served.dns_address,)))
    plain: dict[str, Any] = {"delay": 0, "allow_private": True, "retries": 0, "factor": 0}
    parsers = {"text/html": read_html}
    return gossamer.Crawl(
        *(served.seed_url,),
        out=out,
        settings=settings,
        parsers=parsers,
        scope="all",
        **(plain | knobs),
    )


def assert_each_once(out: Path) -> None:
    """Each HTML page has its items, and nothing is there twice."""
    pages = query(out, "select url from pages where status = 200 and media_type = 'text/html'")
    expected = sorted((url, number) for (url,) in pages for number in range(1 + len(url) % 3))
    assert sorted(query(out, "select url, number from items")) == expected
    assert len(expected) > 100


@pytest.mark.parametrize("partitions", [1, 2])
def test_items_are_in_the_tables(served: ServedWeb, tmp_path: Path, partitions: int) -> None:
    crawl(served, tmp_path / "c", partitions=partitions).run()
    assert_each_once(tmp_path / "c")
    assert not [one for one in inspect(tmp_path / "c") if one.is_problem]
    stored = gossamer.open(tmp_path / "c")
    assert stored.items.count_rows() == len(query(tmp_path / "c", "select url from items"))


def test_items_of_any_kind_and_field_are_exported(served: ServedWeb, tmp_path: Path) -> None:
    crawl(served, tmp_path / "c").run()
    file = tmp_path / "items.jsonl"
    ended = command("export", str(tmp_path / "c"), str(file))
    assert ended.status == 0, ended.err
    items = [json.loads(line) for line in file.read_text().splitlines()]
    assert {tuple(sorted(one)[3:]) for one in items} == {("name", "price"), ("seller",), ("n", "x")}
    assert all(one["_url"].startswith("http://") for one in items)
    assert {one["seller"] for one in items if "seller" in one} == {"ü"}


@pytest.mark.parametrize("partitions", [1, 2])
def test_items_are_stored_exactly_once_over_kill_and_resume(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    out = tmp_path / "c"
    for pages in (30, 60):
        with death_after(pages, Random(pages)):
            fork_and_run(served, out, partitions)
    assert fork_and_run(served, out, partitions) == 0
    assert_each_once(out)
    assert not [one for one in inspect(out) if one.is_problem]


def fork_and_run(served: ServedWeb, out: Path, partitions: int) -> int:
    """Run or resume the crawl in a process group of its own, which may be killed."""
    pid = os.fork()
    if not pid:
        status = 1
        try:
            os.setsid()
            crawl(served, out, partitions=partitions, exists="resume").run()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_a_crawl_without_items_has_no_table(served: ServedWeb, tmp_path: Path) -> None:
    crawl(served, tmp_path / "c", max_pages=5).run()
    settings = gossamer.Settings(dns=DNS(servers=(served.dns_address,)))
    plain = gossamer.Crawl(
        *(served.seed_url,),
        out=tmp_path / "d",
        settings=settings,
        max_pages=5,
        allow_private=True,
        delay=0,
    )
    plain.run()
    assert not (tmp_path / "d" / "items").exists()
    assert gossamer.open(tmp_path / "d").items.count_rows() == 0


def read_badly(page: gossamer.Page) -> gossamer.Document:
    return gossamer.Document(page, items=("no item",))


def read_apart(page: gossamer.Page) -> gossamer.Document:
    return gossamer.Document(page, items=({"length": len(page.body)},))


def test_what_is_no_item_is_a_mistake_of_its_parser(served: ServedWeb, tmp_path: Path) -> None:
    bad = crawl(served, tmp_path / "c", max_pages=2)
    bad._assignment.plugins = msgspec.structs.replace(
        bad._assignment.plugins, parsers={"text/html": read_badly}
    )
    bad.run()
    [(detail,)] = query(
        tmp_path / "c",
        "select distinct detail from pages where media_type = 'text/html'",
    )
    assert "an item must be a dict, a msgspec.Struct or a dataclass, not str" in detail


def test_a_parser_that_runs_apart_yields_items(served: ServedWeb, tmp_path: Path) -> None:
    one = crawl(served, tmp_path / "c", max_pages=2)
    apart = {"text/html": Isolated(f"{__name__}:read_apart")}
    one._assignment.plugins = msgspec.structs.replace(one._assignment.plugins, parsers=apart)
    one.run()
    (first, *_) = query(tmp_path / "c", "select item from items")
    assert json.loads(first[0])["length"] > 0
