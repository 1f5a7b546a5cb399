"""What nobody comes for: forms, histories, differences, exports, feeds."""

import json
from collections.abc import Callable
from html import escape

from benchmarks.generated_sites.addresses import Address
from benchmarks.generated_sites.entries import AUTHORS, SiteEntry
from benchmarks.generated_sites.frame import SiteFrame
from benchmarks.generated_sites.generated_page import SitePage
from benchmarks.generated_sites.numbers import number_of

ToolView = Callable[[SiteFrame, Address, SiteEntry], SitePage | None]


def _edit(frame: SiteFrame, address: Address, entry: SiteEntry) -> SitePage:
    if frame.traits.needs_login and frame.has("login"):
        to = frame.target(Address("login", entry.name, (("back", address.view),)))
        return SitePage("Log in first", status=302, location=to)
    form = f"<form method=post><textarea>{escape(entry.part(1))}</textarea><button>Save</button></form>"
    return frame.tool(f"Edit {entry.title}", form, entry)


def _login(frame: SiteFrame, address: Address, entry: SiteEntry) -> SitePage:
    form = (
        "<form method=post>Name <input name=name> Password <input type=password name=word></form>"
    )
    return frame.tool("Log in", f"<p>You must log in to go on.</p>{form}")


def _reply(frame: SiteFrame, address: Address, entry: SiteEntry) -> SitePage | None:
    number = number_of(address.option("reply"))
    if not 0 <= number < entry.comments:
        return None
    form = (
        f"<p>You answer to comment {number + 1}.</p><form method=post><textarea></textarea></form>"
    )
    return frame.tool(f"Reply: {entry.title}", form, entry)


def _history(frame: SiteFrame, address: Address, entry: SiteEntry) -> SitePage:
    rel = frame.tool_rel()
    links = []
    for revision in range(entry.revisions):
        if frame.has("old"):
            links.append(frame.link("old", entry.name, f"Draft {revision + 1}", rel, rev=revision))
        if frame.has("diff"):
            links += [
                frame.link(
                    "diff",
                    entry.name,
                    f"{revision + 1} to {later + 1}",
                    rel,
                    rev=revision,
                    to=later,
                )
                for later in range(revision + 1, entry.revisions + 1)
            ]
    rows = "".join(
        f"<p>{_who(entry, revision)} changed it.</p>" for revision in range(entry.revisions)
    )
    return frame.tool(f"History of {entry.title}", rows or "<p>Never changed.</p>", entry, links)


def _who(entry: SiteEntry, revision: int) -> str:
    return AUTHORS[(entry.number + revision) % len(AUTHORS)]


def _old(frame: SiteFrame, address: Address, entry: SiteEntry) -> SitePage | None:
    revision = number_of(address.option("rev"))
    if not 0 <= revision < entry.revisions:
        return None
    page = frame.tool(f"{entry.title} (draft {revision + 1})", entry.as_it_was(revision), entry)
    return _showing(page, f"entry:{entry.number}@{revision}")


def _showing(page: SitePage, item: str) -> SitePage:
    return SitePage(
        page.title, page.main, page.menu, heads=page.heads, item=item, robots=page.robots
    )


def _diff(frame: SiteFrame, address: Address, entry: SiteEntry) -> SitePage | None:
    revision = number_of(address.option("rev", "0"))
    later = number_of(address.option("to", str(entry.revisions)))
    if not 0 <= revision <= later <= entry.revisions:
        return None
    lines = [f"<p>- Draft {n + 1}, by {_who(entry, n)}.</p>" for n in range(revision, later)]
    before = "".join(lines) or "<p>No difference.</p>"
    return frame.tool(f"Differences of {entry.title}", before + entry.paragraphs[0], entry)


def _print(frame: SiteFrame, address: Address, entry: SiteEntry) -> SitePage:
    return SitePage(entry.title, "\n".join(entry.paragraphs), robots=frame.tool("", "").robots)


def _raw(frame: SiteFrame, address: Address, entry: SiteEntry) -> SitePage:
    return SitePage(entry.title, "\n".join(entry.paragraphs), media_type="text/plain")


def _feed(frame: SiteFrame, address: Address, entry: SiteEntry) -> SitePage:
    text = (
        '<?xml version="1.0"?><rss version="2.0"><channel>'
        f"<title>Comments on {escape(entry.title)}</title></channel></rss>"
    )
    return SitePage(entry.title, text, media_type="application/rss+xml")


def _oembed(frame: SiteFrame, address: Address, entry: SiteEntry) -> SitePage:
    text = json.dumps({"type": "rich", "title": entry.title, "author_name": entry.author})
    return SitePage(entry.title, text, media_type="application/json")


def _backlinks(frame: SiteFrame, address: Address, entry: SiteEntry) -> SitePage:
    before = frame.to_entry((entry.number - 1) % frame.entries.count)
    return frame.tool(f"What links to {entry.title}", "<p>These do.</p>", entry, [before])


def _info(frame: SiteFrame, address: Address, entry: SiteEntry) -> SitePage:
    told = (
        f"<p>By {entry.author}. {len(entry.paragraphs)} paragraphs, {entry.comments} comments.</p>"
    )
    return frame.tool(f"About {entry.title}", told, entry)


TOOL_VIEWS: dict[str, ToolView] = {
    "edit": _edit,
    "login": _login,
    "reply": _reply,
    "history": _history,
    "old": _old,
    "diff": _diff,
    "print": _print,
    "raw": _raw,
    "feed": _feed,
    "oembed": _oembed,
    "backlinks": _backlinks,
    "info": _info,
}
