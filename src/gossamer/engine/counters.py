"""Counters of a crawl."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from gossamer.core.durable import Durable
from gossamer.core.outcomes import Outcome, Refusal
from gossamer.core.records import Judged, Remembered, Via
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


_NOTHING = Remembered()


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
        self.duplicates = 0
        self.soft_errors = 0
        self.shells = 0
        self.same_text = 0
        self.near_duplicates = 0
        self.unchanged = 0
        self.statuses: Counter[int] = Counter()
        self.refused: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.troubles: Counter[str] = Counter()
        self.exchange: Counter[str] = Counter()
        """What went between this partition and others."""
        for name, value in (msgspec.msgpack.decode(counts) if counts else {}).items():
            is_counter = isinstance(getattr(self, name), Counter)
            setattr(self, name, Counter(value) if is_counter else value)

    def count_visits(self, batch: Iterable[Judged]) -> None:
        for kept in batch:
            page = kept.document.page
            self.bytes += len(page.head) + len(page.payload)
            if page.outcome is Outcome.FETCHED:
                self.pages += 1
                self.requisites += page.visit.via is Via.REQUISITE
                self.statuses[page.status] += 1
                self.links += len(kept.document.links)
                self.unchanged += kept.is_unchanged
                if not page.visit.is_return:  # pages are counted, and not visits
                    self.soft_errors += kept.is_soft_error
                    if len(kept.document.text_utf8) < LITTLE_TEXT:
                        self.shells += is_shell(kept.document)
                    self._count_likeness(kept)
                if page.truncated:
                    self.errors[f"truncated_{page.truncated.value}"] += 1
                elif page.is_damaged:
                    self.errors["undecodable"] += 1
                if kept.document.failure:
                    self.errors[f"parse_{kept.document.failure.value}"] += 1
                if kept.document.bad_links:
                    self.refused[Refusal.BAD_URL.value] += kept.document.bad_links
            elif page.outcome in _REFUSALS:
                self.refused[page.outcome.value] += 1
            else:
                self.errors[page.outcome.value] += 1

    def _count_likeness(self, kept: Judged) -> None:
        """A page counts once, by the most that it has in common with another, as in `gossamer duplicates`."""
        if kept.document.page.status != 200 and not kept.is_unchanged:
            return
        before = kept.remembered or _NOTHING
        if kept.is_duplicate or before.duplicate_of is not None:
            self.duplicates += 1
        elif kept.same_text_as is not None or before.same_text_as is not None:
            self.same_text += 1
        elif kept.similar_to is not None or before.near_of is not None:
            self.near_duplicates += 1

    def note(self) -> bytes:
        """All counts, at each commit."""
        return msgspec.msgpack.encode(self.__dict__)

    def checkpoint(self) -> bytes:
        return self.note()

    @property
    def limited(self) -> int:
        """Pages that count for `crawl.max_pages`."""
        return self.pages - self.requisites

    def count_refusal(self, refusal: Refusal, times: int = 1) -> None:
        self.refused[refusal.value] += times
