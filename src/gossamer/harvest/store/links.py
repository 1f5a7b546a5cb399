"""The `links` table: one row per link, in the order they stand on their page."""

from typing import TYPE_CHECKING, Any

from gossamer.base.links import Links
from gossamer.base.records import LinkKind
from gossamer.base.url import Url
from gossamer.harvest.store.table import Columns, Description, Repeated

if TYPE_CHECKING:
    import pyarrow

LINK_MEANINGS = {
    "source": "The page that the link stands on.",
    "target": "Where it points, in its one spelling.",
    "kind": "The place it was found in: a, area, frame, next, canonical, alternate, refresh, "
    "sitemap or feed; of page requisites: image, script, style or media.",
    "anchor": "The text of the link.",
    "rel": "The attribute rel, in lower case.",
    "position": "Where on the page it stands: navigation, main, footer, header or aside; may be empty.",
    "target_host": "The target's host without the port.",
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
        ]
    )


def link_columns(pages: list[Links]) -> Columns:
    """Lay the links of pages end to end, column by column."""
    sources = [page.source for page in pages]
    targets = [target for page in pages for target in page.targets]
    return (
        Repeated(sources, [len(page) for page in pages]),
        [target.text for target in targets],
        [kind for page in pages for kind in page.kinds],
        [anchor for page in pages for anchor in page.anchors],
        [rel for page in pages for rel in page.rels],
        [position for page in pages for position in page.positions],
        [target.host for target in targets],
    )


def _pack(page: Links) -> list[Any]:
    texts = [target.text for target in page.targets]
    hosts = [target.host for target in page.targets]
    return [page.source, texts, hosts, page.kinds, page.anchors, page.rels, page.positions]


def _unpack(item: list[Any]) -> Links:
    source, texts, hosts, kinds, anchors, rels, positions = item
    targets = [Url(text, host, "", 0) for text, host in zip(texts, hosts, strict=True)]
    return Links(source, targets, [LinkKind(kind) for kind in kinds], anchors, rels, positions)


LINKS: Description[Links] = Description("links", links_schema, link_columns, _pack, _unpack, len)
