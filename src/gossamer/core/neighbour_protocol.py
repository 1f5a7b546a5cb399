"""The other partitions of a crawl, as a ring sees them: the owners of URLs that are not its own.

A crawl with one partition has no neighbours (`Alone`); `gossamer.cluster` knows how to reach those
of a larger one.
"""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from gossamer.core.durable import Durable
from gossamer.core.records import Candidate, Page
from gossamer.core.url import Url

Edge = tuple[str, list[str]]
"""A host or domain, and those that a page of it links to."""


class News(Struct, frozen=True):
    """Messages that came from the neighbours since the last call."""

    candidates: list[Candidate] = []
    """URLs of own hosts."""
    edges: list[Edge] = []
    """Links to own domains."""
    roots: list[str] = []
    """What seeds redirected to, and so belongs to the scope."""
    rank_updates: list[bytes] = []
    """What links found elsewhere bring to own pages, for the order."""


NOTHING = News()


class Neighbours(Durable, Protocol):
    """The other partitions, as the ring sees them.

    What is given away is kept until its receiver has made it durable: `note` says what to put on
    record with the visits that brought it, `noted` that it is there. What comes as news is the
    ring's: its receipt is recorded with the next commit.
    """

    name: str = "exchange"

    def is_own(self, host: str) -> bool:
        """Is this a host of ours?"""

    def keep_own(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Give candidates to those who own their hosts; returns our own."""

    def keep_own_edges(self, source: str, targets: set[str]) -> set[str]:
        """Tell the owners of linked hosts who links to them; returns our own of these."""

    def send_root(self, url: Url) -> None:
        """A seed redirected there, so that it belongs to the scope everywhere."""

    def hand_over(self, partition: int, rank_update: bytes) -> None:
        """Give a neighbour what our links bring to pages of its."""

    def news(self) -> News:
        """Return messages of the neighbours, some at a time."""

    @property
    def has_news(self) -> bool: ...

    # A robots.txt that is moved to a neighbour's host is fetched by that neighbour.

    def ask_robots(self, hop: Candidate) -> None:
        """Have the owner of a host fetch a robots.txt that was moved there."""

    def robots_asked(self) -> list[Candidate]:
        """Return robots.txt URLs that the neighbours want to have fetched."""

    def answer_robots(self, page: Page) -> None:
        """Send the result of such a fetch."""

    def robots_answers(self) -> list[Page]:
        """Return the results of fetches that we asked for."""


class Alone(Neighbours):
    """No neighbours: everything is our own."""

    @property
    def has_news(self) -> bool:
        return False

    def is_own(self, host: str) -> bool:
        return True

    def keep_own(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        return list(candidates)

    def keep_own_edges(self, source: str, targets: set[str]) -> set[str]:
        return targets

    def send_root(self, url: Url) -> None:
        """Nobody is there to be told."""

    def hand_over(self, partition: int, rank_update: bytes) -> None:
        raise AssertionError("all pages are our own")

    def news(self) -> News:
        return NOTHING

    def ask_robots(self, hop: Candidate) -> None:
        raise AssertionError("all hosts are our own")

    def robots_asked(self) -> list[Candidate]:
        return []

    def answer_robots(self, page: Page) -> None:
        raise AssertionError("nobody asked")

    def robots_answers(self) -> list[Page]:
        return []
