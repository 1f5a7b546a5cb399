"""The text and metadata of a page, read deeply: for indexes, tables and people, not for the ring."""

from datetime import datetime
from typing import Any

from msgspec import Struct


class Reading(Struct, frozen=True):
    """All that a page says about itself, and its text.

    >>> reading = Reading("http://a.test/", title="A", text="Home. All about A.", main_text="All about A.")
    >>> reading.main_text, reading.published
    ('All about A.', None)
    """

    url: str
    """The page's URL."""
    media_type: str = ""
    """Type and subtype: as declared, or by the first bytes where that says little."""
    title: str = ""
    """The page's title; without one, what Open Graph or JSON-LD call it."""
    description: str = ""
    """What it says it is about."""
    language: str = ""
    """The language the text is written in, detected, as `en`; empty when there is too little text."""
    declared_language: str = ""
    """The language that the page claims, as it spells it."""
    published: datetime | None = None
    """When it says it was published, in UTC."""
    modified: datetime | None = None
    """When it last changed, in UTC; what Last-Modified says if the page says nothing."""
    canonical: str = ""
    """The address that the page prefers for itself, absolute."""
    authors: tuple[str, ...] = ()
    """Names, each once."""
    open_graph: dict[str, list[str]] = {}
    """Properties of Open Graph and its relatives (`og:`, `article:` …), each with its values."""
    json_ld: tuple[Any, ...] = ()
    """Each object of the page's JSON-LD, as JSON has it."""
    microdata: tuple[Any, ...] = ()
    """Each top-level item: `type` and `id` if it has them, and `properties`, each with its values."""
    main_text: str = ""
    """The text without menus, headers and footers; one line per block."""
    text: str = ""
    """All text, one line per block."""
    headings: tuple[str, ...] = ()
    """The headings of an HTML page, in order; at most 200."""

    def __repr__(self) -> str:
        sizes = f"{len(self.main_text):,} of {len(self.text):,} characters"
        return f"<Reading {self.url[:200]} {self.title[:200]!r}, {sizes}>"
