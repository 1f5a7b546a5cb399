"""How long a page takes from bytes to a document, on the documentation that is installed.

    python -m benchmarks.parse [FOLDER ...]

All times are CPU time, the best of several rounds. Beside it in the same run: lexbor (by selectolax)
building its tree and handing out the elements with links, their attributes and text, and nothing more.
The first call, which compiles or loads the kernel, is timed apart. A page of PostgreSQL's documentation
has 14 KB, one of Python's library reference 95 KB.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from gossamer.core.outcomes import Outcome
from gossamer.core.records import Headers, Page, Visit
from gossamer.core.settings import ParseSettings
from gossamer.core.url import Spelling
from gossamer.pipeline.parse import Parsers
from gossamer.pipeline.parse.encodings import sniff_encoding, to_utf8
from gossamer.pipeline.parse.html_kernel import Reader
from gossamer.pipeline.parse.kernel_findings import Findings

FOLDERS = (
    "/usr/share/doc/postgresql-doc-15/html",
    "/usr/share/doc/python3.11/html/library",
    "/usr/share/doc/openjdk-17-jre-headless/api/java.base",
)
PAGES = 200
ROUNDS = 9
_QUERY = "a[href],area[href],link[href],iframe[src],frame[src],meta[content],base[href],title"
_SPELLING = Spelling()


def page_of(path: Path) -> Page:
    url = _SPELLING.parse(f"http://www.example.org/docs/{path.name}")
    assert url is not None
    names = ("Date", "Server", "Content-Length", "Connection", "ETag", "Cache-Control")
    fields = [("Content-Type", "text/html"), *((name, "x") for name in names)]
    return Page(
        Visit(url),
        Outcome.FETCHED,
        0.0,
        status=200,
        headers=Headers(fields),
        body=path.read_bytes(),
    )


def read_with_lexbor(html: bytes) -> list[tuple[str | None, dict[str, str | None], str]]:
    nodes = LexborHTMLParser(html).css(_QUERY)
    return [(node.tag, node.attributes, node.text_lexbor()) for node in nodes]


def microseconds(work: Callable[[], object], pages: int) -> float:
    """CPU time per page, the best of the rounds, so that a busy machine disturbs little."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best / pages * 1e6


def measure(folder: Path) -> None:
    pages = [page_of(path) for path in sorted(folder.glob("**/*.html"))[:PAGES]]
    if not pages:
        print(f"\n{folder} is not there: left out")
        return
    parsers = Parsers(_SPELLING, "Gossamer")
    links = sum(len(document.links) for document in parsers.parse(pages))
    size = sum(len(page.body) for page in pages)
    count = len(pages)
    print(f"\n{folder}: {count} pages, {size // count:,} bytes and {links / count:.0f} links each")
    whole = microseconds(lambda: parsers.parse(pages), count)
    tree = microseconds(lambda: [read_with_lexbor(page.body) for page in pages], count)
    report("bytes to document", whole)
    for part, taken in parts(pages).items():
        report(f"  {part}", taken)
    report("lexbor: tree and elements only", tree)
    print(f"{1e6 / whole:,.0f} pages/s, {1 / whole * size / count:,.0f} MB/s; ", end="")
    print(f"the whole is {tree / whole:.2f} times as fast as lexbor's part alone")


def parts(pages: list[Page]) -> dict[str, float]:
    """Each step on its own."""
    count, reader = len(pages), Reader(ParseSettings().max_links)
    bodies = [to_utf8(page.body, sniff_encoding(page.body)) for page in pages]
    readings = [reader.read(body) for body in bodies]
    return {
        "encoding": microseconds(
            lambda: [to_utf8(page.body, sniff_encoding(page.body)) for page in pages], count
        ),
        "kernel, and its rows to Python": microseconds(
            lambda: [reader.read(body) for body in bodies], count
        ),
        "rows to columns": microseconds(
            lambda: [Findings("gossamer").read(reading) for reading in readings], count
        ),
    }


def report(what: str, taken: float) -> None:
    print(f"{what:48} {taken:10.1f} µs")


def main() -> None:
    start = time.perf_counter()
    Parsers(_SPELLING, "Gossamer").parse([page_of(Path(__file__))])
    print(f"the first page: {time.perf_counter() - start:.2f} s, compiling or loading the kernel")
    for folder in sys.argv[1:] or FOLDERS:
        measure(Path(folder))


if __name__ == "__main__":
    main()
