"""Something to look at, apart from how it is shown."""

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta, Struct

from gossamer.core.errors import GossamerError
from gossamer.dashboard.shown_crawl import ShownCrawl


class NotThereError(GossamerError):
    """The thing asked for does not exist in this crawl; the dashboard answers 404 with this line."""


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """The query of a URL, by name. Each view has its own, with defaults. Each subject has its own, with
    defaults."""


class SortableAsked(Asked, frozen=True, kw_only=True):
    """By which column a table of the page is sorted; its own order, when nothing is said."""

    sort: Annotated[str, Meta(max_length=60)] = ""
    """The column; `table.column` on pages with several tables."""
    down: bool = False
    """The greatest first?"""


class View(Struct, frozen=True):
    """One page of the dashboard, and one path below /api/."""

    path: str
    """Where it is: `/hosts` in the browser, `/api/hosts` for programs."""
    title: str
    about: str
    """One sentence for who reads the description of the API."""
    asked: type[Asked]
    answer: type[Struct]
    look: Callable[[ShownCrawl, Any], Any]
    """From the crawl and an `asked` to an `answer`; raises a `GossamerError` for what cannot be told."""
    template: str
    """Its file in `templates/`."""
    live: str = ""
    """The file in `templates/` with the part that is drawn again while the crawl runs."""
    is_in_menu: bool = True
