"""A page that there is not enough memory for gets a row that says so."""

from pathlib import Path

from gossamer.core.extracted_page import Reading
from gossamer.core.outcomes import ParseFailure
from gossamer.text import build_texts
from gossamer.text import text_chunk as chunks
from gossamer.text.capture_plan import Capture
from gossamer.text.text_chunk import Chunk, ChunkReader, ChunkResult, process_chunk
from tests.engine.static import serve_static
from tests.memory import LARGE, little_memory
from tests.text.sites import crawl, rows


class PoorReader(ChunkReader):
    """Has little memory while it reads a page."""

    def _read(self, capture: Capture) -> tuple[Reading, ParseFailure]:
        with little_memory():
            return super()._read(capture)


def process_poorly(chunk: Chunk) -> ChunkResult:
    """Runs in a process of its own, as `process_chunk` does."""
    assert chunks._reader is not None
    chunks._reader.__class__ = PoorReader
    return process_chunk(chunk)


def test_a_page_that_takes_too_much_memory_costs_only_itself(tmp_path: Path) -> None:
    content = {
        "/": ("text/html", b"<title>Home</title><a href=large>x</a><a href=small>y</a>"),
        "/large": ("text/html", b"<title>Large</title>" + b"x " * (LARGE // 2)),
        "/small": ("text/html", b"<title>Small</title>"),
    }
    with serve_static(content) as site:
        crawl(site, tmp_path / "out").run()
    *_, last = build_texts(tmp_path / "out", workers=1, work=process_poorly)
    assert (last.pages, last.failures) == (3, 1)
    assert rows(tmp_path / "out", "title, parse_failure") == [
        ("Home", None),
        (None, "too_large"),
        ("Small", None),
    ]
