"""An analyzer in one file: does a page mention a word?

[project.entry-points."gossamer.analyzers"]
mentions = "gossamer_mentions:MENTIONS"

gossamer crawl --set mentions.word=harbour …
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from gossamer.core.analyzer_protocol import (
    Analyzer,
    AnalyzerPlace,
    Declaration,
    Fact,
    PageColumn,
    PageCount,
    PageRow,
)
from gossamer.core.page_batch import Annotations, PageBatch


class MentionsSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Pages that mention a given word."""

    word: Annotated[str, Meta(description="The word to look for, in any case; empty: none.")] = ""


class Mentions(Analyzer):
    """Counts a word in each page, and remembers which page mentioned it first."""

    name = "mentions"

    def __init__(self, place: AnalyzerPlace) -> None:
        self._word = place.own.word.lower()
        self._first = place.state.decode()

    def look(self, batch: PageBatch) -> Annotations:
        times = [one.document.text.lower().count(self._word) for one in batch.pages]
        for one, found in zip(batch.pages, times, strict=True):
            if found and not self._first:
                self._first = one.document.url
        return {"mentions": times}

    def count(self, batch: PageBatch) -> Mapping[str, int]:
        return {"mentioning": sum(times > 0 for times in batch.said("mentions"))}

    def checkpoint(self) -> bytes:
        return self._first.encode()


def _explain(page: PageRow) -> Iterator[Fact]:
    if page["mentions"]:
        yield "mentions", f"the word is there {page['mentions']:,} times"


MENTIONS = Declaration(
    name="mentions",
    about="Counts a word in each page.",
    columns=(
        PageColumn("mentions", "int32", "How often the word `mentions.word` is in the text."),
    ),
    counts=(PageCount("mentioning", "mentioning the word", "Pages that have the word."),),
    settings=MentionsSettings,
    is_on=lambda own: bool(own.word),
    explain=_explain,
    build=Mentions,
)


class Confused(Analyzer):
    """An analyzer that always fails."""

    name = "confused"

    def look(self, batch: PageBatch) -> Annotations:
        raise ValueError("which page?")

    def count(self, batch: PageBatch) -> Any:
        return {"confusions": "many"}


class ConfusedSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of an analyzer that always fails."""

    is_on: bool = False


CONFUSED = Declaration(
    name="confused",
    about="Fails.",
    columns=(PageColumn("confusion", "string", "There is none."),),
    settings=ConfusedSettings,
    is_on=lambda own: own.is_on,
    build=lambda place: Confused(),
)
