"""Items, lists and pagination of pages, in a crawl."""

import json
from pathlib import Path

import pyarrow.parquet as pq

import gossamer
from tests.cli.test_commands import gossamer as gossamer_command
from tests.engine.static import serve_static

_RECORDS = "".join(
    f'<li><h3><a href="/tea-{n}">Tea number {n}, green and fresh</a></h3></li>' for n in (1, 2, 3)
)
_TEA = """<h1>Tea</h1><script type="application/ld+json">{{"@type": "Product", "name": "Tea {0}",
"sku": "T-{0}",
"brand": {{"@type": "Brand", "name": "Caf\u00e9"}}, "offers": {{"price": "{0}.50", "priceCurrency":
"EUR"}}}}</script>
<div itemscope itemtype="http://schema.org/Person"><b itemprop="name">Ada</b></div>"""
PAGES = {
    "/": (
        "text/html; charset=utf-8",
        f'<ul>{_RECORDS}</ul><div class="pager">1 <a href="/?page=2">2</a> <a '
        f'href="/?page=2">Next</a></div>'.encode(),
    ),
    "/?page=2": ("text/html; charset=utf-8", b"<p>The end</p>"),
    **{
        f"/tea-{n}": ("text/html; charset=iso-8859-1", _TEA.format(n).encode("latin-1"))
        for n in (1, 2, 3)
    },
}


def crawl(out: Path, **sections: object) -> gossamer.Summary:
    with serve_static(PAGES) as site:
        settings = {f"lists.{name}": value for name, value in sections.items()}
        knobs = gossamer.core.settings_file.change(gossamer.Settings(), settings)
        run = gossamer.Crawl(
            f"{site.origin}/", out=out, settings=knobs, allow_private=True, delay=0
        )
        return run.run()


def test_items_have_a_row_each_and_pages_say_how_their_list_goes_on(tmp_path: Path) -> None:
    summary = crawl(tmp_path / "out", items=True)
    assert summary.found == {"items": 3, "lists": 1}
    stored = gossamer.open(tmp_path / "out")
    items = [json.loads(one) for one in stored.items.to_table(["item"]).column("item").to_pylist()]
    assert sorted((one["type"], one["fields"]["sku"], one["fields"]["price"]) for one in items) == [
        ("Product", f"T-{n}", f"{n}.50") for n in (1, 2, 3)
    ]
    assert {one["fields"]["brand"] for one in items} == {"Café"}
    rows = stored.pages.to_table(["url", "item_count", "record_count", "next_page"]).to_pylist()
    [start] = [one for one in rows if one["record_count"]]
    assert (start["item_count"], start["record_count"]) == (0, 3)
    assert start["next_page"] == start["url"] + "?page=2"


def test_the_command_lists_the_items_of_a_crawl(tmp_path: Path) -> None:
    crawl(tmp_path / "out", items=True, persons=True)
    result = gossamer_command("items", str(tmp_path / "out"), "--type", "Product", "--json")
    assert result.returncode == 0, result.stderr
    found = [json.loads(one) for one in result.stdout.splitlines()]
    assert sorted(one["fields"]["name"] for one in found) == ["Tea 1", "Tea 2", "Tea 3"]
    assert all("/tea-" in one["url"] for one in found)
    lines = gossamer_command("items", str(tmp_path / "out")).stdout.splitlines()
    assert sorted(one.split("  ")[0] for one in lines) == ["Person"] * 3 + ["Product"] * 3


def test_persons_are_items_when_they_are_asked_for(tmp_path: Path) -> None:
    assert crawl(tmp_path / "out", items=True, persons=True).found["items"] == 6


def test_without_being_asked_for_there_is_no_table_and_no_column(tmp_path: Path) -> None:
    assert crawl(tmp_path / "out").found == {}
    [file] = tmp_path.glob("out/pages/*.parquet")
    assert not {"item_count", "record_count", "next_page"} & {*pq.read_schema(file).names}
    assert not (tmp_path / "out" / "items").exists()
