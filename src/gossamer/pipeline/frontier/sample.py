"""Estimate the number of waiting URLs of some kind, by a sample of each group.

A group is a front queue, or what waits at one host. All of a small group is looked at.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from gossamer.core.records import Visit

OF_A_QUEUE = 5_000
"""URLs of a front queue that are looked at …"""
OF_A_HOST = 50
"""… and of a host."""
_MOST = 20_000
"""URLs that are looked at for one question."""


class Group(NamedTuple):
    waiting: int
    sample: list[Visit]


class Counted(NamedTuple):
    """Of the URLs that wait, this many are meant."""

    found: int
    waiting: int
    """All that wait."""
    is_estimate: bool


def count(groups: Iterable[Group], waiting: int, is_meant: Callable[[Visit], bool]) -> Counted:
    """Count in all groups, or, when these have too many URLs, in the first of them.

    >>> from gossamer.core.url import parse
    >>> visits = [Visit(parse(f"http://a.test/{n}")) for n in range(4)]
    >>> count([Group(8, visits)], 8, lambda visit: visit.url.text.endswith("1"))
    Counted(found=2, waiting=8, is_estimate=True)
    """
    found = 0.0
    looked_at = covered = 0
    is_estimate = False
    for group in groups:
        if not group.sample:
            continue
        if looked_at >= _MOST:
            is_estimate = True
            break
        meant = sum(map(is_meant, group.sample))
        size = max(group.waiting, len(group.sample))
        found += meant * size / len(group.sample)
        looked_at += len(group.sample)
        covered += size
        is_estimate = is_estimate or len(group.sample) < size
    if is_estimate and covered:
        found *= max(1.0, waiting / covered)
    # Some that are done by now may still stand in a queue.
    return Counted(round(min(found, waiting)), waiting, is_estimate)
