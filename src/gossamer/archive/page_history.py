"""The history of a page, visit after visit."""

from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from msgspec import Struct

from gossamer.archive.latest_rows import found_in
from gossamer.archive.page_rows import Row
from gossamer.archive.version_differences import Difference, Version, compare, read_version
from gossamer.core.latest_versions import VisitFinding
from gossamer.core.outcomes import ParseFailure
from gossamer.core.records import Document


class Event(StrEnum):
    """The result of one visit of a page."""

    FIRST = "first"
    """The first version."""
    CHANGED = "changed"
    """Another version."""
    UNCHANGED = "unchanged"
    GONE = "gone"
    """It is not there any more (404, 410)."""
    MOVED = "moved"
    """A redirect is there now."""
    FAILED = "failed"
    """Nothing was seen: no response came, or one that says nothing of the page (503)."""


class PastVisit(Struct, frozen=True, omit_defaults=True):
    """A visit to a page."""

    url: str
    date: str
    """When the request went out, in UTC."""
    event: Event
    outcome: str
    status: int | None = None
    detail: str = ""
    version: int = 0
    """The number of the version that this visit found or that was still there; 0 when there is none."""
    title: str = ""
    """Of a version."""
    links: int = 0
    """Of a version."""
    change: str = ""
    """How the page had changed, as the column `change` says it …"""
    extent: float = 0.0
    """… and the part of its text that was another one."""
    moved_to: str = ""
    difference: Difference | None = None
    """Of a version that has its content in the archive, as the one before it has: what is different."""

    @property
    def is_minor(self) -> bool:
        """Is it a version that hardly differs from the one before: a counter, a time, a corrected word?"""
        return self.event is Event.CHANGED and self.change == "minor"


class PageHistory:
    """Goes from visit to visit, and knows the version that is there: two of them are in memory at a time."""

    def __init__(self, read: Callable[[Row], Document]) -> None:
        """`read` makes the document of a row."""
        self._read = read
        self._count = 0
        self._latest: Version | None = None

    def take(self, row: Row) -> PastVisit:
        """The next visit."""
        found = found_in(row)
        if found is VisitFinding.VERSION or (found is VisitFinding.SAME and not self._count):
            return self._take_version(row)
        return _visit(row, _event(row, found), self._count, moved_to=row["redirect_to"] or "")

    def _take_version(self, row: Row) -> PastVisit:
        document = self._read(row)
        self._count += 1
        before, self._latest = self._latest, _content(row, document)
        difference = compare(before, self._latest) if before and self._latest else None
        event = Event.FIRST if self._count == 1 else Event.CHANGED
        told = {"title": document.title, "links": len(document.links), "difference": difference}
        return _visit(row, event, self._count, **told)


def _content(row: Row, document: Document) -> Version | None:
    """The content to compare; None if the response is not stored or cannot be read."""
    is_there = row["warc_file"] is not None and document.failure is not ParseFailure.BROKEN
    return read_version(document) if is_there else None


def _event(row: Row, found: VisitFinding) -> Event:
    if found is VisitFinding.GONE:
        return Event.GONE if (row["status"] or 0) >= 400 else Event.MOVED
    return Event.UNCHANGED if found is VisitFinding.SAME else Event.FAILED


def _visit(row: Row, event: Event, version: int, **told: Any) -> PastVisit:
    return PastVisit(
        row["url"],
        datetime.fromtimestamp(row["fetched_at"] / 1e6, UTC).isoformat(timespec="seconds"),
        event,
        row["outcome"],
        row["status"],
        row["detail"] or "",
        version,
        change=row["change"] or "",
        extent=round(row["extent"] or 0.0, 3),
        **told,
    )
