"""Commands for a host or a URL, with the effect of each."""

from typing import Annotated

from msgspec import Meta, Struct

from gossamer.dashboard.command_preview import CommandPreview, foresee_if_known
from gossamer.dashboard.paging import Text
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.view_protocol import Asked, View
from gossamer.dashboard.views.control_view import GivenCommand, find_given
from gossamer.dashboard.visit_name import read_url
from gossamer.engine.control.command_patterns import read_host, read_pattern
from gossamer.engine.control.commands import BlockUrls
from gossamer.engine.control.control_state import look as view_commands


class ActAsked(Asked, frozen=True):
    what: Text = ""
    """A host or a URL."""
    given: Annotated[int, Meta(ge=0)] = 0
    """The number of the command that was given just now."""


class Act(Struct, frozen=True):
    """A host or a URL, and what is active for it."""

    what: str
    """In one spelling; empty when nothing was asked for."""
    host: str
    url: str
    """Empty for a host."""
    blocked: list[str]
    """Of its host and the URL, those that are blocked."""
    delay: float | None
    """Of its host, by a command, in seconds."""
    levels: dict[str, int]
    """Of its host and the URL, those that have a level by a command."""
    block_host: CommandPreview | None
    """What it would do to block the host; None when the crawl does not say so."""
    block_url: CommandPreview | None
    given: GivenCommand | None


def look(crawl: ShownCrawl, asked: ActAsked) -> Act:
    text = asked.what.strip()
    given = find_given(crawl, asked.given)
    if not text:
        return Act("", "", "", [], None, {}, None, None, given)
    url = read_url(crawl, text).text if "/" in text else ""
    host = read_host(url or text)
    active_commands = view_commands(crawl.path).active_commands
    names = [host, read_pattern(url)] if url else [host]
    return Act(
        url or host,
        host,
        url,
        [name for name in names if name in active_commands.blocked],
        active_commands.delays[host][0] if host in active_commands.delays else None,
        {
            name: active_commands.priorities[name][0]
            for name in names
            if name in active_commands.priorities
        },
        foresee_if_known(crawl, BlockUrls(host)),
        foresee_if_known(crawl, BlockUrls(read_pattern(url))) if url else None,
        given,
    )


ACT = View(
    path="/act",
    title="Act",
    about="Commands for a host or a URL, and how many waiting URLs each would set aside.",
    asked=ActAsked,
    answer=Act,
    look=look,
    template="act.html",
    is_in_menu=False,
)
