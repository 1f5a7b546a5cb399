"""The `links` table: one row per link, in the order they stand on their page."""

from typing import TYPE_CHECKING

from gossamer.base.records import Link, LinkKind
from gossamer.base.url import Url
from gossamer.harvest.store.table import Columns, Description

if TYPE_CHECKING:
    import pyarrow

LINK_MEANINGS = {
    "source": "The page that the link stands on.",
    "target": "Where it points, in its one spelling.",
    "kind": "The place it was found in: a, area, frame, next, canonical, alternate, refresh, "
    "sitemap or feed.",
    "anchor": "The text of the link.",
    "rel": "The attribute rel, in lower case.",
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
            ("target_host", few),
        ]
    )


def link_columns(links: list[Link]) -> Columns:
    """Take links apart, column by column."""
    targets = [link.target for link in links]
    return (
        [link.source for link in links],
        [target.text for target in targets],
        [link.kind for link in links],
        [link.anchor for link in links],
        [link.rel for link in links],
        [target.host for target in targets],
    )


def _pack(link: Link) -> tuple[str, ...]:
    return (link.source, link.target.text, link.target.host, link.kind.value, link.anchor, link.rel)


def _unpack(item: list[str]) -> Link:
    source, text, host, kind, anchor, rel = item
    return Link(source, Url(text, host, "", 0), LinkKind(kind), anchor, rel)


LINKS: Description[Link] = Description("links", links_schema, link_columns, _pack, _unpack)
