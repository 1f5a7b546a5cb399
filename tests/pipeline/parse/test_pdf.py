"""PDF: text, title and links; truncated, fuzzed and hostile files."""

import random
import zlib
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.core.outcomes import ParseFailure
from gossamer.core.records import Document, Via
from gossamer.core.settings import ParseSettings
from gossamer.pipeline.parse import Parsers
from tests.examples import examples
from tests.pipeline.parse.parse_pages import SPELLING, page_of, targets
from tests.pipeline.parse.pdfs import FIRST_LINE, write_pdf

FILE = write_pdf(
    ["See the report\nand (more) of it", "On the second page"],
    [("http://other.example/report.html", FIRST_LINE), ("../next.pdf", (0, 0, 5, 5))],
    "The Title",
)


@pytest.fixture(scope="module")
def parsers() -> Iterator[Parsers]:
    made = Parsers(SPELLING, "Gossamer", settings=ParseSettings(sandbox_seconds=60.0))
    yield made
    made.close()


def read(parsers: Parsers, body: bytes, content_type: str | None = "application/pdf") -> Document:
    [document] = parsers.parse([page_of(body, content_type)])
    return document


def test_text_title_and_links(parsers: Parsers) -> None:
    document = read(parsers, FILE)
    assert document.title == "The Title"
    assert document.text == "See the report and (more) of it On the second page"
    assert targets(document) == [
        "http://other.example/report.html",
        "http://www.example.org/next.pdf",
    ]
    assert [link.anchor for link in document.links] == ["See the report", ""]
    assert (document.media_type, document.failure) == ("application/pdf", ParseFailure.NONE)


@pytest.mark.parametrize("content_type", [None, "application/octet-stream", "text/plain"])
def test_recognised_by_its_first_bytes(parsers: Parsers, content_type: str | None) -> None:
    document = read(parsers, FILE, content_type)
    assert (document.title, document.media_type) == ("The Title", "application/pdf")


def test_links_that_lead_nowhere(parsers: Parsers) -> None:
    uris = ["http://[", "mailto:a@b.example", "javascript:x()", "http://ok.example/"]
    document = read(parsers, write_pdf(["x"], [(uri, FIRST_LINE) for uri in uris]))
    assert targets(document) == ["http://ok.example/"]
    assert document.bad_links == 1


def test_html_that_is_called_pdf_is_broken(parsers: Parsers) -> None:
    document = read(parsers, b"<html><a href=x>no</a>")
    assert document.failure is ParseFailure.BROKEN
    assert "PdfiumError" in document.page.detail


def test_nothing_at_all_is_no_failure(parsers: Parsers) -> None:
    assert read(parsers, b"").failure is ParseFailure.NONE


def test_a_robots_txt_is_not_read_apart(parsers: Parsers) -> None:
    before = parsers.statistics().pages
    [document] = parsers.parse([page_of(FILE, "application/pdf", via=Via.ROBOTS)])
    assert document.text == ""
    assert parsers.statistics().pages == before


def test_cut_off_anywhere(parsers: Parsers) -> None:
    """PDFium rebuilds what it can; what it cannot is broken, and nothing is worse than that."""
    chance = random.Random(3)
    cuts = [FILE[: chance.randrange(1, len(FILE))] for _ in range(40)]
    documents = parsers.parse([page_of(body, "application/pdf") for body in cuts])
    assert {document.failure for document in documents} <= {
        ParseFailure.NONE,
        ParseFailure.BROKEN,
    }
    assert parsers.statistics().children == 1


def test_a_bomb_of_text_stays_within_bounds(parsers: Parsers) -> None:
    line = b"BT /F1 12 Tf 72 720 Td " + b"(word word word word) Tj " * 2_000_000 + b"ET"
    packed = zlib.compress(line, 9)
    stream = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed)
    file = write_pdf(["x"]).replace(
        b"<< /Nothing true >>", stream
    )  # the table of places is wrong now, and is rebuilt
    file = file.replace(b"/Contents 6 0 R", b"/Contents 3 0 R")
    [document] = Parsers(
        SPELLING, "Gossamer", settings=ParseSettings(sandbox_seconds=2.0, sandbox_memory=256 << 20)
    ).parse([page_of(file, "application/pdf")])
    assert document.failure or len(document.text_utf8) <= 17 << 20


def test_pages_that_contain_each_other(parsers: Parsers) -> None:
    file = FILE.replace(b"/Kids [", b"/Kids [2 0 R 2 0 R ")
    assert read(parsers, file).failure in (ParseFailure.NONE, ParseFailure.BROKEN)


@given(st.data())
@settings(max_examples=examples(150), deadline=None)
def test_fuzzed(data: st.DataObject) -> None:
    body = bytearray(FILE)
    for _ in range(data.draw(st.integers(1, 12))):
        place = data.draw(st.integers(0, len(body) - 1))
        body[place : place + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=6))
    document = read(FUZZED, bytes(body))
    assert document.failure in (ParseFailure.NONE, ParseFailure.BROKEN, ParseFailure.CRASHED)
    assert len(document.links) <= 20_000


FUZZED = Parsers(SPELLING, "Gossamer", settings=ParseSettings(sandbox_seconds=60.0))


@pytest.fixture(scope="module", autouse=True)
def _end_children() -> Iterator[None]:
    yield
    FUZZED.close()
