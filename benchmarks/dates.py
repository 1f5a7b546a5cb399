"""How many real articles have a date of publication, and how many have the date that people wrote down.

    python -m benchmarks.dates [FOLDER]

The pages are those of `benchmarks.articles`; for most of them people wrote down the date. The rules were
written while looking at one half of the hosts; the other half was only counted. `right` is the same day in
UTC, `near` one day off at most: that is a time zone. htmldate takes part if it is installed, in its thorough
and in its strict mode.
"""

import hashlib
import json
import os
import sys
import tarfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from gossamer.core.outcomes import Outcome
from gossamer.core.records import Document, Headers, Page, Visit
from gossamer.core.url import parse
from gossamer.pipeline.parse.extraction import read_page

_HEADERS = Headers([("Content-Type", "text/html")])
_FETCHED = 1.79e9
HALVES = ("held back", "seen")

Reader = Callable[[bytes, str], date | None]


class Dated(NamedTuple):
    half: str
    url: str
    html: bytes
    wanted: date | None
    """The date that people wrote down."""


def ours(html: bytes, url: str) -> date | None:
    place = parse(url) or parse("http://articles.test/page")
    assert place is not None
    page = Page(Visit(place), Outcome.FETCHED, _FETCHED, status=200, headers=_HEADERS, body=html)
    published = read_page(Document(page)).published
    return published.date() if published else None


def samples(folder: Path) -> Iterator[Dated]:
    with tarfile.open(folder / "articles.tar.xz") as archive:
        files = {one.name: archive.extractfile(one) for one in archive if one.isfile()}
        read = {name: file.read() for name, file in files.items() if file is not None}
    for url, said in json.loads(read["expected.json"]).items():
        host = urlsplit(url).hostname or url
        half = HALVES[hashlib.md5(host.encode(), usedforsecurity=False).digest()[0] & 1]
        wanted = None
        with suppress(TypeError, ValueError):
            wanted = date.fromisoformat((said.get("date") or "")[:10])
        yield Dated(half, url, read[f"pages/{said['file'].removeprefix('pages/')}"], wanted)


def readers() -> dict[str, Reader]:
    found: dict[str, Reader] = {"Gossamer": ours}
    with suppress(ImportError):
        from htmldate import find_date  # type: ignore[import-not-found]

        def htmldate(html: bytes, url: str, is_thorough: bool) -> date | None:
            said = find_date(html, url=url, original_date=True, extensive_search=is_thorough)
            return date.fromisoformat(said) if said else None

        found["htmldate"] = lambda html, url: htmldate(html, url, True)
        found["htmldate, strict"] = lambda html, url: htmldate(html, url, False)
    return found


def row(name: str, reader: Reader, pages: Sequence[Dated]) -> str:
    found = [(page.wanted, reader(page.html, page.url)) for page in pages]
    judged = [(wanted, day) for wanted, day in found if wanted and day]
    right = sum(wanted == day for wanted, day in judged)
    near = sum(abs(wanted - day) <= timedelta(days=1) for wanted, day in judged)
    dated = sum(day is not None for _, day in found)
    return f"| {name} | {dated} | {right} | {near} | {len(judged) - near} |"


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else f"{os.environ['GOSSAMER_DATA']}/articles")
    pages = list(samples(folder))
    for half in HALVES:
        some = [page for page in pages if page.half == half]
        judged = sum(page.wanted is not None for page in some)
        print(f"\n{half}: {len(some)} pages, {judged} with a date that people wrote down\n")
        print("| | found | right | near | other |\n|---|---|---|---|---|")
        for name, reader in readers().items():
            print(row(name, reader, some), flush=True)


if __name__ == "__main__":
    main()
