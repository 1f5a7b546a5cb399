"""Counters of a crawl."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from gossamer.core.copies import CopyKind
from gossamer.core.durable import Durable
from gossamer.core.outcomes import Outcome, Refusal
from gossamer.core.records import Judged, Via
from gossamer.engine.script_shells import LITTLE_TEXT, is_shell

_REFUSALS = frozenset(
    {
        Outcome.ROBOTS_DISALLOWED,
        Outcome.PRIVATE_ADDRESS,
        Outcome.BAD_URL,
        Outcome.SCHEME,
        Outcome.URL_TOO_LONG,
        Outcome.OUT_OF_SCOPE,
        Outcome.EXCLUDED,
        Outcome.NOT_INCLUDED,
        Outcome.TOO_DEEP,
        Outcome.ACTION,
    }
)
"""Outcomes that mean we did not want to, rather than that something broke."""


_COPIES = {CopyKind.TEXT: "same_text", CopyKind.NEAR: "near_duplicates"}
"""Names of the counts of pages that are like another."""


class Counters(Durable):
    """Counts what goes by; knows nothing of what it means.

    >>> counters = Counters()
    >>> counters.pages = 7
    >>> Counters(counters.note()).pages
    7
    """

    name = "counters"

    def __init__(self, counts: bytes = b"") -> None:
        """A new one, or as it was noted."""
        self.pages = 0
        self.requisites = 0
        """Of the pages, those that other pages need to be shown."""
        self.bytes = 0
        self.links = 0
        self.shells = 0
        self.found: Counter[str] = Counter()
        """What analyzers count."""
        self.statuses: Counter[int] = Counter()
        self.refused: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.troubles: Counter[str] = Counter()
        self.exchange: Counter[str] = Counter()
        """What went between this partition and others."""
        for name, value in (msgspec.msgpack.decode(counts) if counts else {}).items():
            if name not in self.__dict__:  # a crawl of an earlier version counted it apart
                self.found[name] = value
            else:
                is_counter = isinstance(getattr(self, name), Counter)
                setattr(self, name, Counter(value) if is_counter else value)

    def count_visits(self, batch: Iterable[Judged]) -> None:
        for judged in batch:
            page = judged.document.page
            self.bytes += len(page.head) + len(page.payload)
            if page.outcome is Outcome.FETCHED:
                self.pages += 1
                self.requisites += page.visit.via is Via.REQUISITE
                self.statuses[page.status] += 1
                self.links += len(judged.document.links)
                # Pages are counted, and not visits.
                if not page.visit.is_return and len(judged.document.text_utf8) < LITTLE_TEXT:
                    self.shells += is_shell(judged.document)
                if page.truncated:
                    self.errors[f"truncated_{page.truncated.value}"] += 1
                elif page.is_damaged:
                    self.errors["undecodable"] += 1
                if judged.document.failure:
                    self.errors[f"parse_{judged.document.failure.value}"] += 1
                if judged.document.bad_links:
                    self.refused[Refusal.BAD_URL.value] += judged.document.bad_links
            elif page.outcome in _REFUSALS:
                self.refused[page.outcome.value] += 1
            else:
                self.errors[page.outcome.value] += 1

    def note(self) -> bytes:
        """All counts, at each commit."""
        return msgspec.msgpack.encode(self.__dict__)

    def checkpoint(self) -> bytes:
        return self.note()

    def count_copy(self, kind: CopyKind, counted: CopyKind | None) -> None:
        """A page that was counted already is like one of another partition.

        It counts once, by the most that it has in common with another: `counted` is what it counted for.
        """
        if counted is not CopyKind.TEXT:
            self.found[_COPIES[kind]] += 1
            if counted is not None:
                self.found[_COPIES[counted]] -= 1

    @property
    def limited(self) -> int:
        """Pages that count for `crawl.max_pages`."""
        return self.pages - self.requisites

    def count_refusal(self, refusal: Refusal, times: int = 1) -> None:
        self.refused[refusal.value] += times
