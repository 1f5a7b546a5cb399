"""How good and how fast the main text of real articles is, beside others.

    python -m benchmarks.articles [FOLDER]

FOLDER holds `articles.tar.xz`, else GOSSAMER_DATA/articles does: 300 pages of the web, each with pieces of
text that belong to its main text and pieces that do not. The rules were written while looking at one half of
the pages; the other half was only counted. Which half a page is in, its address decides.

Precision and recall are those of pieces. The second line compares texts by their runs of four words with what
trafilatura finds, page by page: it shows text that is kept beside the pieces, but trafilatura is no truth.
"""

import hashlib
import json
import os
import re
import sys
import tarfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from gossamer.core.outcomes import Outcome
from gossamer.core.records import Document, Headers, Page, Visit
from gossamer.core.url import parse
from gossamer.pipeline.parse.extraction import read_page

_HEADERS = Headers([("Content-Type", "text/html")])
_WORD = re.compile(r"\w+")
HALVES = ("seen", "held back")

Reader = Callable[[bytes], str]


class Sample(NamedTuple):
    """A page, and what its main text has to hold and must not."""

    half: str
    html: bytes
    wanted: list[str]
    unwanted: list[str]


class Score(NamedTuple):
    """Of pieces of text."""

    precision: float
    recall: float
    f: float


def ours(html: bytes) -> str:
    url = parse("http://articles.test/page")
    assert url is not None
    page = Page(Visit(url), Outcome.FETCHED, 0.0, status=200, headers=_HEADERS, body=html)
    return read_page(Document(page)).main_text


def samples(folder: Path) -> Iterator[Sample]:
    with tarfile.open(folder / "articles.tar.xz") as archive:
        members = (member for member in archive if member.isfile())
        files = {member.name: _read(archive, member) for member in members}
    for url, said in json.loads(files["expected.json"]).items():
        half = HALVES[hashlib.sha256(url.encode()).digest()[-1] & 1]
        html = files[f"pages/{said['file'].removeprefix('pages/')}"]
        yield Sample(half, html, said["with"], said["without"])


def _read(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(member)
    assert file is not None
    return file.read()


def score(pages: Sequence[Sample], texts: Sequence[str]) -> Score:
    """As trafilatura's own evaluation counts; white space and soft hyphens do not matter."""
    found = missing = wrong = 0
    for page, text in zip(pages, texts, strict=True):
        plain = _plain(text)
        there = sum(_plain(piece) in plain for piece in page.wanted)
        found += there
        missing += len(page.wanted) - there
        wrong += sum(_plain(piece) in plain for piece in page.unwanted)
    precision, recall = found / max(1, found + wrong), found / max(1, found + missing)
    return Score(precision, recall, _mean(precision, recall))


def likeness(texts: Sequence[str], others: Sequence[str]) -> Score:
    """How much of the texts is in the others, and of the others in the texts; the mean of all pages."""
    scores = [_likeness(*pair) for pair in zip(texts, others, strict=True)]
    return Score(*(sum(column) / len(scores) for column in zip(*scores, strict=True)))


def _likeness(text: str, other: str) -> Score:
    ours, theirs = _shingles(text), _shingles(other)
    common = sum((ours & theirs).values())
    precision, recall = common / max(1, ours.total()), common / max(1, theirs.total())
    return Score(precision, recall, _mean(precision, recall))


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(_plain(text).lower())
    return Counter(zip(words, words[1:], words[2:], words[3:], strict=False))


def _mean(one: float, other: float) -> float:
    return 2 * one * other / max(1e-9, one + other)


def _plain(text: str) -> str:
    return " ".join(text.replace("\xad", "").split())


def readers() -> Iterator[tuple[str, Reader]]:
    yield "Gossamer (whole reading)", ours
    try:
        import trafilatura
    except ImportError:
        print("trafilatura is not installed; left out")
    else:
        yield "trafilatura", lambda html: trafilatura.extract(html, include_comments=False) or ""
    yield "resiliparse", _resiliparse


def _resiliparse(html: bytes) -> str:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse_from_bytes(html, detect_encoding(html))
    return str(extract_plain_text(tree, main_content=True, links=False))


def main() -> None:
    data = Path(os.environ.get("GOSSAMER_DATA", "../shared/data"))
    pages = list(samples(Path(sys.argv[1]) if len(sys.argv) > 1 else data / "articles"))
    texts = {name: _run(name, read, pages) for name, read in readers()}
    peer = texts.get("trafilatura")
    if peer is not None:
        for name in texts:
            print(f"{name:26} beside trafilatura: {_figures(likeness(texts[name], peer))}")


def _run(name: str, read: Reader, pages: Sequence[Sample]) -> list[str]:
    read(pages[0].html)  # whatever is loaded late
    began = time.process_time()
    texts = [read(page.html) for page in pages]
    seconds = (time.process_time() - began) / len(pages)
    for half in HALVES:
        part = [pair for pair in zip(pages, texts, strict=True) if pair[0].half == half]
        found = score([page for page, _ in part], [text for _, text in part])
        print(
            f"{name:26} {half:9} {len(part)} pages  {_figures(found)}  {seconds * 1e3:6.2f} ms/page"
        )
    return texts


def _figures(found: Score) -> str:
    return f"P {found.precision:.3f}  R {found.recall:.3f}  F {found.f:.3f}"


if __name__ == "__main__":
    main()
