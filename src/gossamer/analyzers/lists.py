"""Items, lists and pagination of each page, read while the crawl runs.

Items go to `items/*.parquet` with those of a program's parsers; the pages table says how many items a page
has, how many records its list has, and which URL its list goes on with.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
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
from gossamer.core.records import Document, Judged
from gossamer.core.url.legacy import find_encoding

_HTML = ("text/html", "application/xhtml+xml")


class ListsSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Items of pages (products, articles, events …), their lists, and how these go on."""

    items: Annotated[
        bool,
        Meta(
            description="Read the items of each page, for `items/*.parquet`, and its list and pagination, "
            "for the columns `item_count`, `record_count` and `next_page` of the pages table. `gossamer "
            "items` reads single pages in the same way."
        ),
    ] = False
    persons: Annotated[
        bool,
        Meta(description="Keep personal data in items: persons, authors and their addresses."),
    ] = False


class ListsAnalyzer(Analyzer):
    """Reads pages as they are; a page without content now has what was said of it before."""

    name = "lists"

    def __init__(self, place: AnalyzerPlace) -> None:
        from gossamer.items import read_items  # loads what most crawls do not need

        self._read = read_items
        self._has_persons = place.own.persons

    def look(self, batch: PageBatch) -> Annotations:
        columns: dict[str, list[Any]] = {"item_count": [], "record_count": [], "next_page": []}
        for place, judged in enumerate(batch.pages):
            document = judged.document
            if not _is_html(document):
                for column in columns.values():
                    column.append(None)
                continue
            found = self._read(_html_of(document), document.url, self._has_persons)
            if found.items:
                batch.pages[place] = _with_items(judged, found.items)
            columns["item_count"].append(len(found.items))
            columns["record_count"].append(len(found.records))
            columns["next_page"].append(next(iter(found.pagination.next), None))
        return columns

    def count(self, batch: PageBatch) -> Mapping[str, int]:
        items, records = batch.said("item_count"), batch.said("record_count")
        found = Counter({"items": sum(one or 0 for one in items), "lists": sum(map(bool, records))})
        return {name: number for name, number in found.items() if number}


def _is_html(document: Document) -> bool:
    return bool(document.page.body) and document.media_type in _HTML and document.status == 200


def _html_of(document: Document) -> str:
    codec = find_encoding(document.charset) or "utf-8"
    try:
        return document.page.body.decode(codec, "replace")
    except LookupError:
        return document.page.body.decode("utf-8", "replace")


def _with_items(judged: Judged, items: tuple[Any, ...]) -> Judged:
    """Add items to those that a parser of a program has found."""
    plain = tuple(msgspec.to_builtins(one, str_keys=True) for one in items)
    document = msgspec.structs.replace(judged.document, items=(*judged.document.items, *plain))
    return msgspec.structs.replace(judged, document=document)


def _explain(page: PageRow) -> Iterator[Fact]:
    if page["item_count"]:
        yield "items", str(page["item_count"])
    if page["record_count"]:
        following = f"; it goes on at {page['next_page']}" if page["next_page"] else ""
        yield "list", f"{page['record_count']} records{following}"


LISTS = Declaration(
    name="lists",
    about="Reads items, lists and pagination of each page.",
    columns=(
        PageColumn("item_count", "int32", "The number of items that were read from the page."),
        PageColumn("record_count", "int32", "The number of records in the list that it shows."),
        PageColumn("next_page", "string", "The URL at which its list goes on, null at its end."),
    ),
    settings=ListsSettings,
    is_on=lambda own: own.items,
    explain=_explain,
    build=ListsAnalyzer,
)
