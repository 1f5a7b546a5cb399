"""Which view shows what."""

from collections.abc import Callable

from benchmarks.generated_sites.addresses import Address
from benchmarks.generated_sites.entry_views import show, show_comments
from benchmarks.generated_sites.frame import SiteFrame
from benchmarks.generated_sites.generated_page import SitePage
from benchmarks.generated_sites.list_views import calendar, listing, recent, tagged
from benchmarks.generated_sites.tool_views import TOOL_VIEWS
from benchmarks.generated_sites.traits import TOOLS

_VIEWS: dict[str, Callable[[SiteFrame, Address], SitePage | None]] = {
    "show": show,
    "comments": show_comments,
    "list": listing,
    "tag": tagged,
    "recent": recent,
    "calendar": calendar,
}


def answer(frame: SiteFrame, address: Address) -> SitePage | None:
    """The page of an address; None when there is none."""
    if address.view in TOOLS:
        entry = frame.entries.named(address.subject)
        view = TOOL_VIEWS.get(address.view) if frame.has(address.view) else None
        return view(frame, address, entry) if view and entry else None
    return _VIEWS[address.view](frame, address) if address.view in _VIEWS else None


def storage(frame: SiteFrame) -> SitePage:
    """The first page: the menu, and some entries."""
    latest = range(min(5, frame.entries.count))
    return frame.listing("Welcome", [frame.to_entry(number) for number in latest])
