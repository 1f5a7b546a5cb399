"""The `links` table: one row per link, in the order they stand on their page."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gossamer.core.outcomes import Refusal
from gossamer.core.page_links import Links
from gossamer.output.parquet_table import Columns, Description
from gossamer.output.spool import pack, unpack
from gossamer.output.warc_date import microseconds

if TYPE_CHECKING:
    import pyarrow

_OF_BEFORE = 0x97
"""How msgpack begins a list of seven: the source, and six columns."""

LINK_MEANINGS = {
    "source": "The page that has the link.",
    "target": "The target, in its canonical form.",
    "kind": "The kind of link: a, area, frame, next, canonical, alternate, translation, refresh, "
    "sitemap or feed; of page requisites: image, script, style or media.",
    "anchor": "The text of the link.",
    "rel": "The attribute rel, in lower case.",
    "position": "Place on the page: navigation, main, footer, header or aside; may be empty.",
    "target_host": "The target's host without the port.",
    "refused": "The reason why the link was not followed, as named on the page of outcomes; null "
    "when its target was offered to the frontier, by this link or by an earlier one.",
    "fetched_at": "The time of the visit that found the link, as in the pages table.",
}
"""What the columns mean."""


def links_schema() -> "pyarrow.Schema":
    """Names and types of the columns. Anchor text and rel may be empty, but are never null."""
    import pyarrow as pa

    text, few = pa.string(), pa.dictionary(pa.int32(), pa.string())
    return pa.schema(
        [
            ("source", few),
            ("target", text),
            ("kind", few),
            ("anchor", text),
            ("rel", few),
            ("position", few),
            ("target_host", few),
            ("refused", few),
            ("fetched_at", pa.timestamp("us", "UTC")),
        ]
    )


def pack_links(page: Links, refused: Sequence[Refusal | None] = (), started: float = 0.0) -> bytes:
    """The links of one page as they are kept until there are enough for a file.

    `refused` says of each why it was not followed, or nothing; `started` is when the page was asked for. That
    stands behind its URL, which has no space.
    """
    targets = page.targets
    texts, hosts = [target.text for target in targets], [target.host for target in targets]
    columns = [texts, hosts, page.kinds, list(page.anchors), page.rels, page.positions]
    head = f"{page.source} {microseconds(started)}"
    return pack([head, *columns, refused or [None] * len(texts)])


def link_columns(pages: Sequence[bytes], rows: int) -> Columns:
    """Lay the links of pages end to end, column by column."""
    from gossamer.output.packed_rows import PackedTexts  # compiled code, which only a crawl needs

    texts = PackedTexts(pages, rows, lists=7)
    sources, times = _split(texts.heads())
    return (
        sources,
        texts.plain(0),
        texts.repetitive(2),
        texts.plain(3),
        texts.repetitive(4),
        texts.repetitive(5),
        texts.repetitive(1),
        texts.optional(6),
        times,
    )


def _split(heads: "pyarrow.DictionaryArray") -> tuple["pyarrow.Array", "pyarrow.Array"]:
    """The pages that links stand on, and when these were asked for; of spools of before, nothing is known."""
    from pyarrow import DictionaryArray, array, string, timestamp

    pairs = [head.partition(" ") for head in heads.dictionary.to_pylist()]
    sources = array([source for source, _, _ in pairs], string())
    times = np.array([int(time or 0) for _, _, time in pairs], np.int64)
    places = heads.indices.to_numpy(zero_copy_only=False)
    found = times[places] if len(times) else times
    dates = array(found, timestamp("us", "UTC"), mask=found == 0)
    return DictionaryArray.from_arrays(heads.indices, sources), dates


def count_links(pages: Iterable[list[Any]]) -> int:
    """The number of links of each page, packed and unpacked again."""
    return sum(len(page[1]) for page in pages)


def _count(pages: Sequence[bytes]) -> int:
    return count_links(map(unpack, pages))


def _unpack(page: bytes) -> bytes:
    """Unpack a spool; spools of an earlier version have no refusals."""
    if page[0] != _OF_BEFORE:
        return page
    fields = unpack(page)
    return pack([*fields, [None] * len(fields[1])])


LINKS: Description[bytes] = Description(
    "links",
    links_schema,
    link_columns,
    bytes,
    _unpack,
    _count,
    len,
    ("target", "anchor", "fetched_at"),
)
