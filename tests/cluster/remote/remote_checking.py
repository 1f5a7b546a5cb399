"""What must hold of a crawl whose partitions were on other machines."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

from gossamer.lab import Request
from gossamer.verify import inspect
from tests.engine.engine_crawling import LoggedWeb, asked, by_address, by_host, query

_CLOCK_NOISE = 0.0005


def stored(out: Path) -> Counter[str]:
    return Counter(url for (url,) in query(out, "select url from pages where status = 200"))


def assert_complete(served: LoggedWeb, out: Path) -> None:
    """All pages of the web, each recorded once, and nothing is damaged."""
    assert set(asked(served)) == served.web.expected()
    assert stored(out) == Counter(served.web.expected())
    problems = [str(finding) for finding in inspect(out) if finding.is_problem]
    assert problems == [], problems


class Politeness:
    """The shortest time that a host and an address were left alone, by the server's log."""

    def __init__(self, requests: list[Request]) -> None:
        self.host = _shortest(by_host(requests))
        self.address = _shortest(by_address(requests))

    def __str__(self) -> str:
        return f"shortest delay {self.host:.4f} s per host, {self.address:.4f} s per address"

    def check(self, gap: float) -> None:
        """Nobody is asked by two at once, nor too soon: neither a host nor an address."""
        assert min(self.host, self.address) > gap - _CLOCK_NOISE


def closest(requests: list[Request]) -> str:
    """The two requests to one address that came closest, to be looked at."""
    pairs = [pair for some in by_address(requests).values() for pair in pairwise(some)]
    first, second = min(pairs, key=lambda pair: pair[1].start - pair[0].end)
    return f"{first}\n{second}"


def _shortest(groups: dict[str, list[Request]]) -> float:
    return min(
        second.start - first.end for some in groups.values() for first, second in pairwise(some)
    )
