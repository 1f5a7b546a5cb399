"""Lines of the index that say more of a page than its record does.

The media type is that of the page as it was read: where the declared one says little, the first bytes or
a parser have told another. Then the pages table says the same. A robots.txt has no row there: what it is
follows from its record alone.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gossamer.archive.stored_message import read_message
from gossamer.core.http import read_media_type
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Page, Via, Visit
from gossamer.core.settings import FetchSettings
from gossamer.core.url import parse
from gossamer.output.warc_date import timestamp14
from gossamer.pipeline.parse.media import media_type_of
from gossamer.verify.captures import CaptureSaid
from gossamer.verify.finding import Finding, problem

if TYPE_CHECKING:
    import pyarrow

_COLUMNS = ("url", "fetched_at", "media_type")


class _Line(NamedTuple):
    number: int
    file: str
    offset: int
    said: CaptureSaid


class Doubts:
    """Filled by the look at the index, emptied by the looks at the tables; what is left is wrong."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str, str], _Line] = {}

    def add(self, number: int, file: str, offset: int, said: CaptureSaid) -> None:
        self._lines[said.url, said.date, said.mime] = _Line(number, file, offset, said)

    def settle(self, pages: "pyarrow.Table") -> None:
        """Rows of the pages table say what was read."""
        if not self._lines:
            return
        columns = [pages.column(name) for name in _COLUMNS]
        columns[1] = columns[1].cast("int64")
        for url, micros, mime in zip(*(column.to_pylist() for column in columns), strict=True):
            self._lines.pop((url, timestamp14(micros // 1_000_000), mime or ""), None)

    def forget(self) -> None:
        """The index is not as it was written: that is told, and all else follows from it."""
        self._lines.clear()

    def findings(self, warc: Path) -> Iterator[Finding]:
        """One for all lines that are wrong, as one damage may be."""
        wrong = sorted(line.number for line in self._lines.values() if not _is_so(line, warc))
        if wrong:
            said = f"line {wrong[0]} does not agree with the row of the page, or the record that it points to"
            yield problem("warc/index.cdxj", said)


def _is_so(line: _Line, warc: Path) -> bool:
    """Does a look at the content lead to the same media type?"""
    said, url = line.said, parse(line.said.url)
    if url is None:
        return False
    message = read_message(warc, line.file, line.offset, int(said.length))
    headers = message.headers
    body = message.body(headers, FetchSettings().max_decoded)
    visit = Visit(url, via=Via.ROBOTS)
    page = Page(visit, Outcome.FETCHED, 0.0, status=message.status, headers=headers, body=body)
    declared = read_media_type(headers.get("content-type"))
    return media_type_of(page, declared) == said.mime
