"""The duplicates analyzer, as tables, summaries and `gossamer explain` know it."""

from collections.abc import Iterator

from gossamer.core.analyzer_protocol import Declaration, Fact, PageColumn, PageCount, PageRow
from gossamer.core.outcomes import Refusal


def _explain(page: PageRow) -> Iterator[Fact]:
    if page["duplicate_of"]:
        yield "copy", f"the same content was already found at {page['duplicate_of']}"
    if page["same_text_as"]:
        yield "copy", f"the same text was already found, in other markup, at {page['same_text_as']}"
    if page["near_of"]:
        yield "copy", f"{page['similarity']:.0%} like {page['near_of']}"


DUPLICATES = Declaration(
    name="duplicates",
    about="Finds the page that has the same content, the same text, or nearly the same.",
    columns=(
        PageColumn("compared", "", "Results of the content test, for the redundancy filter."),
        PageColumn(
            "duplicate_of",
            "string",
            "The URL where the same content was found first; null for that page itself.",
            after="digest",
        ),
        PageColumn(
            "same_text_as",
            "string",
            "The URL where the same text was found first, in other markup; null when there is none.",
            after="duplicate_of",
        ),
        PageColumn(
            "near_of",
            "string",
            "The URL of the first page of the group of near-duplicates that the page belongs to …",
            after="text_print",
        ),
        PageColumn(
            "near_group",
            "uint64",
            "… its key, which is the group's name; null for the first page itself …",
            after="near_of",
        ),
        PageColumn(
            "similarity",
            "float32",
            "… and their similarity: the estimated share of shingles that both have.",
            after="near_group",
        ),
    ),
    refusals=(Refusal.DUPLICATE_CONTENT, Refusal.NEAR_DUPLICATE),
    counts=(
        PageCount(
            "duplicates", "", "Pages with status 200 whose bytes were already found at another URL."
        ),
        PageCount("same_text", "", "Pages with other bytes, but the same text as another URL."),
        PageCount(
            "near_duplicates",
            "",
            "Pages with nearly the text of another page; duplicates are not counted.",
        ),
    ),
    explain=_explain,
)
