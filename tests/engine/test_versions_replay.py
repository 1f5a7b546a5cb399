"""Each version of a page is shown by pywb at its date, and between two versions the one that was there."""

import urllib.request
from pathlib import Path
from typing import Any

from msgspec.structs import replace

import gossamer
from tests.engine.changing import DAILY, serve_changing
from tests.engine.engine_crawling import query
from tests.engine.test_known_replay import needs_pywb, replay

PAGES = {
    "/": ["<title>root</title><a href=/copy>x</a><a href=/news>x</a>"],
    "/copy": ["<title>root</title><a href=/copy>x</a><a href=/news>x</a>"],
    "/news": [f"<title>{day}</title>Today is day {day}." for day in ("one", "two", "three")],
}
_SECONDS = 3.0
"""Between two visits to a page: an index counts in seconds."""


@needs_pywb
def test_every_visit_is_shown(tmp_path: Path) -> None:
    slow = replace(DAILY, revisit=replace(DAILY.revisit, day=_SECONDS, shortest=0.7))
    out = tmp_path / "out"
    with serve_changing(PAGES) as site:
        options: dict[str, Any] = {"delay": 0, "allow_private": True, "soft_errors": False}
        gossamer.Crawl(site.url, out=out, settings=slow, max_pages=15, **options).run()
    ask = """select url, strftime(fetched_at at time zone 'UTC', '%Y%m%d%H%M%S') from pages
        order by fetched_at"""
    (tmp_path / "pywb").mkdir()
    shown: dict[str, list[str]] = {}
    with replay(tmp_path / "pywb", sorted((out / "warc").glob("*.warc.gz"))) as collection:
        for url, date in query(out, ask):
            with urllib.request.urlopen(f"{collection}/{date}id_/{url}") as answer:
                assert answer.status == 200
                shown.setdefault(url[len(site.url) - 1 :], []).append(answer.read().decode())
    for path, answers in PAGES.items():
        count = len(shown[path])
        assert count > 3
        assert shown[path] == [answers[min(n, len(answers) - 1)] for n in range(count)]
