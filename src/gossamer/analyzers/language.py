"""The language that a page is written in, by its text, while the crawl runs."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from gossamer.core.analyzer_protocol import (
    Analyzer,
    AnalyzerPlace,
    Declaration,
    Fact,
    PageColumn,
    PageRow,
)
from gossamer.core.page_batch import Annotations, PageBatch


class LanguageSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The language of each page, found out while the crawl runs."""

    detect: Annotated[
        bool,
        Meta(
            description="Detect the language of each page, for the column `language` of the pages table and "
            "for the summary. `gossamer text` does so in any case, for its own table."
        ),
    ] = False


class LanguageAnalyzer(Analyzer):
    """Reads the text as it is: what a page declares in its markup is for `gossamer text`."""

    name = "language"

    def __init__(self, place: AnalyzerPlace) -> None:
        from gossamer.core.text_language import detect_language  # its tables take a moment to load

        self._detect = detect_language

    def look(self, batch: PageBatch) -> Annotations:
        return {"language": [self._detect(page.document.text) or None for page in batch.pages]}

    def count(self, batch: PageBatch) -> Mapping[str, int]:
        found = Counter(f"language_{name}" for name in batch.said("language") if name)
        return dict(found)


def _explain(page: PageRow) -> Iterator[Fact]:
    if page["language"]:
        yield "language", f"{page['language']}, by its text"


LANGUAGE = Declaration(
    name="language",
    about="Detects the language of each page.",
    columns=(
        PageColumn(
            "language",
            "few",
            "The language that the text is written in, detected, as `en`; null when there is too little "
            "text.",
        ),
    ),
    settings=LanguageSettings,
    is_on=lambda own: own.detect,
    explain=_explain,
    build=LanguageAnalyzer,
)
