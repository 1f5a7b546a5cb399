"""What leads to entries: sections page by page, tags, what is new, and a calendar."""

from benchmarks.generated_sites.addresses import Address
from benchmarks.generated_sites.entries import MONTHS, SiteEntry
from benchmarks.generated_sites.frame import SiteFrame
from benchmarks.generated_sites.generated_page import SiteLink, SitePage
from benchmarks.generated_sites.numbers import number_of
from gossamer.lab.seeded_chance import draw_text

_ORDERS = ("up", "down")


def listing(frame: SiteFrame, address: Address) -> SitePage | None:
    """The entries of a section, a page at a time, in any order that somebody may wish for."""
    sort, order = address.option("sort"), address.option("by", "up")
    if (sort and sort not in frame.traits.sorts) or order not in _ORDERS:
        return None
    listed = [
        one for one in frame.entries.of_section(address.subject) if not _is_hidden(frame, one)
    ]
    if sort:
        listed.sort(key=lambda one: draw_text(one.number, sort), reverse=order == "down")
    page, size = number_of(address.option("page", "1")), frame.traits.per_page
    found = listed[max(page - 1, 0) * size : page * size]
    if page < 1 or not found:
        return None
    chosen = {"sort": sort, "by": order} if sort else {}
    links = [frame.to_entry(one.number) for one in found]
    if page * size < len(listed):
        links.append(frame.link("list", address.subject, "More", page=page + 1, **chosen))
    links += _sorts(frame, address.subject)
    return frame.listing(f"All about {address.subject}", links, is_useful=not sort)


def _sorts(frame: SiteFrame, section: str) -> list[SiteLink]:
    return [
        frame.link("list", section, f"by {sort}", frame.tool_rel(), sort=sort, by=order)
        for sort in frame.traits.sorts
        for order in _ORDERS
    ]


def _is_hidden(frame: SiteFrame, entry: SiteEntry) -> bool:
    """No list names it; the entry before does."""
    return entry.number > 0 and draw_text(entry.number, "hidden") % 100 < 100 * frame.traits.hidden


def tagged(frame: SiteFrame, address: Address) -> SitePage | None:
    """The entries with a tag."""
    entries = map(frame.entries.entry, range(frame.entries.count))
    found = [entry for entry in entries if address.subject in entry.tags]
    if not found or address.options:
        return None
    return frame.listing(f"Tagged {address.subject}", [frame.to_entry(one.number) for one in found])


def recent(frame: SiteFrame, address: Address) -> SitePage | None:
    """What is new, with all that can be done about it."""
    if address.subject or address.options:
        return None
    latest = range(max(0, frame.entries.count - 20), frame.entries.count)
    links = [frame.to_entry(number) for number in latest]
    for tool in ("history", "diff"):
        if frame.has(tool):
            links += [
                frame.link(tool, frame.entries.name_of(number), tool, frame.tool_rel())
                for number in latest
            ]
    return frame.listing("Recent changes", links)


def calendar(frame: SiteFrame, address: Address) -> SitePage | None:
    """A month, most of which are empty; there may be no end of months."""
    month = _month_of(address.option("month"))
    if address.subject or month is None or not _is_open(frame, month):
        return None
    entries = map(frame.entries.entry, range(frame.entries.count))
    links = [
        frame.to_entry(entry.number)
        for entry in entries
        if entry.month == month and not _is_hidden(frame, entry)
    ]
    links += [
        frame.link("calendar", anchor=f"Month {near}", month=_spelled(near))
        for near in (month - 1, month + 1)
        if _is_open(frame, near)
    ]
    return frame.listing(f"Month {month}", links, is_useful=False)


def _is_open(frame: SiteFrame, month: int) -> bool:
    beyond = frame.traits.months
    return beyond < 0 or (beyond > 0 and -beyond <= month < MONTHS + beyond)


def _spelled(month: int) -> str:
    return str(month) if month >= 0 else f"before{-month}"


def _month_of(spelled: str) -> int | None:
    is_before = spelled.startswith("before")
    number = number_of(spelled.removeprefix("before"))
    if number < 0 or (is_before and not number):
        return None
    return -number if is_before else number
