"""What can be done about a host or a URL, and what each order would do first."""

from typing import Annotated

from msgspec import Meta, Struct

from gossamer.crawl.control.orders import BlockUrls
from gossamer.crawl.control.patterns import read_host, read_pattern
from gossamer.crawl.control.state import look as look_at_orders
from gossamer.serve.foreseen import Foreseen, foresee_if_known
from gossamer.serve.paging import Text
from gossamer.serve.shown_crawl import ShownCrawl
from gossamer.serve.subject import Asked, Subject
from gossamer.serve.subjects.control import OrderGiven, find_given
from gossamer.serve.visit_name import read_url


class ActAsked(Asked, frozen=True):
    what: Text = ""
    """A host or a URL."""
    given: Annotated[int, Meta(ge=0)] = 0
    """The number of the order that was given just now."""


class Act(Struct, frozen=True):
    """A host or a URL, and what is in force for it."""

    what: str
    """In one spelling; empty when nothing was asked for."""
    host: str
    url: str
    """Empty for a host."""
    blocked: list[str]
    """Of its host and the URL, those that are blocked."""
    delay: float | None
    """Of its host, by an order, in seconds."""
    levels: dict[str, int]
    """Of its host and the URL, those that have a level by an order."""
    block_host: Foreseen | None
    """What it would do to block the host; None when the crawl does not say so."""
    block_url: Foreseen | None
    given: OrderGiven | None


def look(crawl: ShownCrawl, asked: ActAsked) -> Act:
    text = asked.what.strip()
    given = find_given(crawl, asked.given)
    if not text:
        return Act("", "", "", [], None, {}, None, None, given)
    url = read_url(crawl, text).text if "/" in text else ""
    host = read_host(url or text)
    in_force = look_at_orders(crawl.path).in_force
    names = [host, read_pattern(url)] if url else [host]
    return Act(
        url or host,
        host,
        url,
        [name for name in names if name in in_force.blocked],
        in_force.delays[host][0] if host in in_force.delays else None,
        {name: in_force.priorities[name][0] for name in names if name in in_force.priorities},
        foresee_if_known(crawl, BlockUrls(host)),
        foresee_if_known(crawl, BlockUrls(read_pattern(url))) if url else None,
        given,
    )


ACT = Subject(
    path="/act",
    title="Act",
    about="What can be done about a host or a URL, and which waiting URLs each order would keep apart.",
    asked=ActAsked,
    answer=Act,
    look=look,
    template="act.html",
    is_in_menu=False,
)
