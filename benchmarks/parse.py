"""How long a page takes from bytes to a document, and each part of that.

    python benchmarks/parse.py [FOLDER]

The page is made up: 14 KB, 21 links. With a folder, all HTML files below it are read as well and
the tree builder and the scanner are compared on them. resiliparse is measured beside.
"""

import random
import sys
import time
import timeit
from collections.abc import Callable
from pathlib import Path

from resiliparse.parse.html import HTMLTree

from gossamer.base.outcomes import Outcome
from gossamer.base.records import Headers, Page, Visit
from gossamer.base.url import Spelling
from gossamer.cycle.parse import Parsers
from gossamer.cycle.parse.scan import elements_by_scan
from gossamer.cycle.parse.tame import is_tame
from gossamer.cycle.parse.tree import elements_of_tree

_WORDS = ("river", "mountain", "crawl", "spider", "index", "archive", "garden", "letter", "winter")
_QUERY = "a[href],area[href],link[href],iframe[src],frame[src],meta[content],base[href],title"
_SPELLING = Spelling()


def make_page(links: int = 21, size: int = 14_000) -> bytes:
    """A page with paragraphs of words and links spread among them."""
    chance = random.Random(7)

    def words(count: int) -> str:
        return " ".join(chance.choices(_WORDS, k=count))

    parts = [
        f"<!doctype html><html><head><meta charset=utf-8><title>{words(5)}</title></head><body>"
    ]
    for number in range(links):
        parts.append(
            f'<div class="part"><h2 id="h{number}">{words(4)}</h2><p>{words(12)} <b>{words(2)}</b>'
        )
        parts.append(f' <a class="l" href="../{words(1)}/{number}.html?q={number}">{words(3)}</a> ')
        parts.append(
            f"<i>{words(1)}</i> {words(20)}</p><ul><li>{words(9)}</li><li>{words(9)}</li></ul>"
        )
        parts.append(words(max(0, (size // links - 520) // 7)) + "</div>")
    return ("".join(parts) + "</body></html>").encode()


def make_sitemap(entries: int = 50_000) -> bytes:
    lines = (
        f"<url><loc>http://www.example.org/folder/{number}</loc><lastmod>2024-05-01</lastmod></url>\n"
        for number in range(entries)
    )
    return b"<urlset>" + "".join(lines).encode() + b"</urlset>"


def page_of(body: bytes, media_type: str) -> Page:
    url = _SPELLING.parse("http://www.example.org/a/b.html")
    assert url is not None
    names = ("Date", "Server", "Content-Length", "Connection", "ETag", "Cache-Control")
    fields = [("Content-Type", media_type), *((name, "x") for name in names)]
    return Page(Visit(url), Outcome.FETCHED, 0.0, status=200, headers=Headers(fields), body=body)


def read_with_resiliparse(html: bytes) -> list[tuple[str, str | None, str | None, str]]:
    nodes = HTMLTree.parse_from_bytes(html).document.query_selector_all(_QUERY)
    return [(node.tag, node.getattr("href"), node.getattr("rel"), node.text) for node in nodes]


def report(what: str, work: Callable[[], object], number: int = 300) -> None:
    """Print the best of seven rounds, so that a busy machine disturbs little."""
    seconds = min(timeit.repeat(work, number=number, repeat=7)) / number
    print(f"{what:52} {seconds * 1e6:12.1f} µs")


def measure_made_up() -> None:
    html = make_page()
    parsers = Parsers(_SPELLING, "Gossamer")
    page = page_of(html, "text/html; charset=utf-8")
    sitemap = page_of(make_sitemap(), "application/xml")
    print(f"one page: {len(html):,} bytes, {len(parsers.parse([page])[0].links)} links")
    report("bytes to document", lambda: parsers.parse([page]))
    report("  is it tame?", lambda: is_tame(html))
    report("  elements from a tree (lexbor by selectolax)", lambda: list(elements_of_tree(html)))
    report("the same with resiliparse", lambda: read_with_resiliparse(html))
    report("the same without a tree", lambda: list(elements_by_scan(html)))
    report("a sitemap of 50,000 URLs", lambda: parsers.parse([sitemap]), number=1)


def measure_real(folder: Path) -> None:
    """All are measured on the same pages: those that a tree may be built from."""
    files = [path.read_bytes() for path in sorted(folder.rglob("*.html"))[:2000]]
    pages = [html for html in files if is_tame(html)]
    megabytes = sum(map(len, pages)) / 1e6
    print(f"{len(files)} files, {len(files) - len(pages)} too wild; the others: {megabytes:.1f} MB")
    readers: dict[str, Callable[[bytes], object]] = {
        "is it tame?": is_tame,
        "tree (selectolax)": lambda html: list(elements_of_tree(html)),
        "tree (resiliparse)": read_with_resiliparse,
        "scan": lambda html: list(elements_by_scan(html)),
    }
    for what, read in readers.items():
        seconds = min(_read_all(read, pages) for _ in range(3))
        print(f"{what:52} {megabytes / seconds:10.1f} MB/s")


def _read_all(read: Callable[[bytes], object], pages: list[bytes]) -> float:
    start = time.perf_counter()
    for html in pages:
        read(html)
    return time.perf_counter() - start


if __name__ == "__main__":
    measure_made_up()
    if len(sys.argv) > 1:
        measure_real(Path(sys.argv[1]))
