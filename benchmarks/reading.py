"""How good and how fast the main text is, on documentation whose main part is known.

    python -m benchmarks.reading [PAGES]

For each set the element that holds the main part is known, so that the words found can be compared with
the words that are there. trafilatura, readability and jusText are measured beside, if they are installed.
Sets that are not on this machine are left out; RUST_DOC names the folder of the Rust documentation.
"""

import os
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from html import unescape
from pathlib import Path

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.html import HTMLTree

from gossamer.core.outcomes import Outcome
from gossamer.core.records import Document, Headers, Page, Visit
from gossamer.core.url import parse
from gossamer.lab import Web
from gossamer.pipeline.parse.extraction import read_page

_DOC = Path("/usr/share/doc")
_RUST = Path(os.environ.get("RUST_DOC", _DOC / "rust-doc/html"))
_SETS = {
    "Python": (_DOC / "python3.11-doc/html", "**/*.html", "[role=main]", ()),
    "PostgreSQL": (_DOC / "postgresql-doc-15/html", "*.html", "body", (".navheader", ".navfooter")),
    "Rust book": (_RUST / "book", "*.html", "main", ()),
    "Rust API": (_RUST / "std", "**/struct.*.html", "#main-content", ()),
}
_WORD = re.compile(r"\w+")
_HEADERS = Headers([("Content-Type", "text/html; charset=utf-8")])

Reader = Callable[[bytes], str]
Sample = tuple[bytes, Counter[str]]


def ours(html: bytes) -> str:
    url = parse("http://docs.test/page")
    assert url is not None
    page = Page(Visit(url), Outcome.FETCHED, 0.0, status=200, headers=_HEADERS, body=html)
    return read_page(Document(page)).main_text


def all_text(html: bytes) -> str:
    return str(extract_plain_text(HTMLTree.parse_from_bytes(html), links=False))


def rules_only(html: bytes) -> str:
    return str(extract_plain_text(HTMLTree.parse_from_bytes(html), main_content=True, links=False))


def readers() -> Iterator[tuple[str, Reader]]:
    yield "Gossamer (whole reading)", ours
    yield "resiliparse, main content", rules_only
    yield "resiliparse, all text", all_text
    with suppress(ImportError):
        import trafilatura

        yield "trafilatura", lambda html: trafilatura.extract(html, include_comments=False) or ""
    with suppress(ImportError):
        import justext

        words = justext.get_stoplist("English")
        yield (
            "jusText",
            lambda html: " ".join(
                part.text for part in justext.justext(html, words) if not part.is_boilerplate
            ),
        )
    with suppress(ImportError):
        from lxml.html import fromstring
        from readability import Document as Readable

        yield (
            "readability",
            lambda html: fromstring(
                Readable(html.decode("utf-8", "replace")).summary()
            ).text_content(),
        )


def bag(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.lower()))


def truth(html: bytes, selector: str, drop: tuple[str, ...]) -> Counter[str]:
    tree = HTMLTree.parse_from_bytes(html)
    for unwanted in ("script", "style", *drop):
        for node in tree.document.query_selector_all(unwanted):
            node.decompose()
    found = tree.document.query_selector(selector)
    return bag(unescape(re.sub(r"<[^>]+>", " ", found.html))) if found is not None else Counter()


def samples(count: int) -> Iterator[tuple[str, list[Sample]]]:
    for name, (folder, pattern, selector, drop) in _SETS.items():
        files = sorted(folder.glob(pattern))
        random.Random(5).shuffle(files)
        pages = (file.read_bytes() for file in files)
        fit = [(html, truth(html, selector, drop)) for html in pages if 3000 < len(html) < 200_000]
        if chosen := [one for one in fit if sum(one[1].values()) > 40][:count]:
            yield name, chosen
    yield "simulated web", list(simulated(count))


def simulated(count: int) -> Iterator[Sample]:
    """The paragraphs of a simulated page are its main part; its lists of links are not."""
    web = Web(seed=3, pages=count * 4, hosts=10)
    for url in list(web.urls())[:count]:
        answer = web.answer(url)
        assert answer is not None
        html = web.body_of(answer)
        yield html, bag(" ".join(re.findall(r"<(?:p|h1)>(.*?)</", html.decode("utf-8", "replace"))))


def score(found: Counter[str], wanted: Counter[str]) -> tuple[float, float, float]:
    common = sum((found & wanted).values())
    precision = common / max(1, sum(found.values()))
    recall = common / max(1, sum(wanted.values()))
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    for name, pages in samples(count):
        size = sum(len(html) for html, _ in pages) // len(pages)
        print(f"{name}: {len(pages)} pages of {size} bytes on average")
        for what, read in readers():
            began = time.process_time()
            texts = [read(html) for html, _ in pages]
            seconds = (time.process_time() - began) / len(pages)
            scores = [
                score(bag(text), wanted) for text, (_, wanted) in zip(texts, pages, strict=True)
            ]
            means = [sum(column) / len(scores) for column in zip(*scores, strict=True)]
            figures = "  ".join(
                f"{name} {mean:.3f}" for name, mean in zip("PRF", means, strict=True)
            )
            worst = min(one[2] for one in scores)
            print(f"  {what:26} {figures}  worst {worst:.2f}  {seconds * 1e3:7.2f} ms/page")


if __name__ == "__main__":
    main()
