"""The pages of one turn on their way through the analyzers to the store.

What the ring must know of a page is in its `Judged`, whichever analyzer decided it: effects with names.
All else that is said of pages are annotations: columns by name, one value for each page. A column in which
nothing is said is not there at all.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from msgspec.structs import replace

from gossamer.core.outcomes import Refusal
from gossamer.core.records import Compared, Judged

_DOCUMENT, _DIGEST, _TEXT = map(attrgetter, ("document", "digest", "text_print"))

Annotations = Mapping[str, Sequence[Any]]
"""Columns by name, each as long as the batch."""


class PageBatch:
    """Pages, and what analyzers say of them.

    >>> from gossamer.core.outcomes import Outcome
    >>> from gossamer.core.records import Document, Page, Visit
    >>> from gossamer.core.url import parse
    >>> urls = [parse("http://a.test/"), parse("http://b.test/")]
    >>> batch = PageBatch([Judged(Document(Page(Visit(url), Outcome.FETCHED, 0.0))) for url in urls])
    >>> batch.annotate({"language": ["en", None]})
    >>> batch.said("language"), batch.said("spam")
    (['en', None], [None, None])
    """

    __slots__ = ("columns", "pages", "remembered")

    def __init__(
        self,
        pages: Iterable[Judged],
        columns: Annotations | None = None,
        remembered: Mapping[int, Mapping[str, Any]] | None = None,
    ) -> None:
        self.pages: list[Judged] = list(pages)
        self.columns: dict[str, Sequence[Any]] = {} if columns is None else dict(columns)
        self.remembered: dict[int, Mapping[str, Any]] = (
            {} if remembered is None else dict(remembered)
        )
        """By place, the annotations that an earlier crawl made of pages that came without content now."""

    @classmethod
    def of(cls, compared: Sequence[Compared]) -> "PageBatch":
        """Make the batch of documents that the content test has compared."""
        pages = map(Judged, map(_DOCUMENT, compared), map(_DIGEST, compared), map(_TEXT, compared))
        return cls(pages, {"compared": compared})

    def __len__(self) -> int:
        return len(self.pages)

    def said(self, name: str) -> Sequence[Any]:
        """A column; None for each page if nobody has anything to say."""
        column = self.columns.get(name)
        return [None] * len(self.pages) if column is None else column

    def annotate(self, columns: Annotations) -> None:
        """Take in what an analyzer says. What is remembered of a page without content stays true."""
        for name, values in columns.items():
            assert len(values) == len(self.pages), f"{name} has a value for each page"
            self.columns[name] = values if isinstance(values, list) else [*values]
        for place, known in self.remembered.items():
            self._recall(place, {name: known[name] for name in columns if name in known})

    def remember(self, place: int, known: Mapping[str, Any]) -> None:
        """Let what an earlier crawl said of a page hold: it is the same page, without its content."""
        self.remembered[place] = known
        self._recall(place, known)

    def refuse_links(self, place: int, refusal: Refusal, *, is_lesser: bool = False) -> None:
        """Have nothing followed that the page leads to. The last analyzer that objects names the reason.

        A lesser page is worth less visits, too.
        """
        judged = self.pages[place]
        is_lesser = is_lesser or judged.is_lesser
        self.pages[place] = replace(judged, refusal=refusal, is_lesser=is_lesser)

    def select(self, places: Sequence[int]) -> "PageBatch":
        """Some of the pages, in this order."""
        return PageBatch(
            [self.pages[place] for place in places],
            {name: [said[place] for place in places] for name, said in self.columns.items()},
            {
                number: self.remembered[place]
                for number, place in enumerate(places)
                if place in self.remembered
            },
        )

    def _recall(self, place: int, known: Mapping[str, Any]) -> None:
        for name, value in known.items():
            column = [*self.said(name)]
            if column[place] != value:
                column[place] = value
                self.columns[name] = column
