"""Has a page changed since it was visited before, in this crawl or in an earlier one?

What is known of earlier visits decides (`gossamer.engine.recall`); here are its columns.
"""

from collections.abc import Iterator, Sequence

from gossamer.core.analyzer_protocol import Declaration, Fact, PageColumn, PageCount, PageRow
from gossamer.core.page_batch import Annotations
from gossamer.core.records import Judged


def annotate_changes(pages: Sequence[Judged]) -> Annotations:
    """The columns, once all is known of what changed."""
    return {
        "is_unchanged": [judged.is_unchanged for judged in pages],
        "change": [judged.change or None for judged in pages],
        "extent": [judged.extent if judged.change else None for judged in pages],
    }


def _explain(page: PageRow) -> Iterator[Fact]:
    if page["change"]:
        yield "changed", f"{page['change']}, since the previous visit"


CHANGE = Declaration(
    name="change",
    about="Compares each page with its previous version.",
    columns=(
        PageColumn(
            "is_unchanged",
            "bool",
            "True when the page has not changed since the previous visit, or since the crawl named "
            "with `--known`. If the "
            "status is 304 and `--known` is given, its type, title, links and duplicates are those of "
            "the earlier crawl.",
            after="redirect_refused",
            default=False,
            lasts=False,
        ),
        PageColumn(
            "change",
            "few",
            "In a continuous crawl: changes since the previous visit: nothing, "
            "markup, minor (a date, a counter), links or text; null for a first visit …",
            after="refers_at",
            lasts=False,
        ),
        PageColumn(
            "extent",
            "float32",
            "… and the share of the text that differs.",
            after="change",
            lasts=False,
        ),
    ),
    counts=(
        PageCount(
            "unchanged",
            "unchanged",
            "Visits that found a page unchanged since the previous visit, or since the crawl named "
            "with `--known`.",
        ),
    ),
    explain=_explain,
)
