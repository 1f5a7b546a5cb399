"""The web as it was at a time: of each page, the links that its last visit until then brought.

A page that was found unchanged has the links of the visit before. One that was gone or had moved has none;
one whose server failed has those it had. Nothing that was seen later is known.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gossamer.graph.build.link_rows import LinkColumns, PageColumns, read_links, read_pages
from gossamer.graph.build.numbering import numbers_of
from gossamer.graph.urls import UrlMap
from gossamer.graph.urls.url_keys import Places

_NEVER = -2
_NOT_MODIFIED, _TOO_MANY_REQUESTS = 304, 429


class AsOf(NamedTuple):
    """Leaves rows out that do not count at a time."""

    at: int
    known: UrlMap
    last: Places
    """For each URL that is known, the visit whose links count, by its time."""

    def links(self, rows: LinkColumns) -> LinkColumns:
        return rows.only(rows.times == self.last[numbers_of(self.known, rows.sources)])

    def pages(self, rows: PageColumns) -> PageColumns:
        return rows.only(rows.times <= self.at)


def find_last(known: UrlMap, at: int, tables: Iterable[Path]) -> Places:
    """The last visit to each URL, until a time, that says which links it has.

    One that found the page unchanged speaks of the last one that brought it, even if it was away between.
    """
    brought, away, unchanged = (np.full(len(known), _NEVER, np.int64) for _ in range(3))
    for path in tables:
        if path.parent.name == "links":
            for links in read_links(path, with_times=True):
                _note(brought, at, numbers_of(known, links.sources), links.times)
        else:
            for pages in read_pages(path):
                nodes, is_page = numbers_of(known, pages.urls), pages.statuses // 100 == 2
                same = (pages.statuses == _NOT_MODIFIED) | (is_page & pages.is_unchanged)
                for last, chosen in (
                    (brought, is_page & ~same),
                    (away, _is_answer(pages) & ~is_page & ~same),
                    (unchanged, same),
                ):
                    _note(last, at, nodes[chosen], pages.times[chosen])
    return np.where(np.maximum(brought, unchanged) > away, brought, away)


def _is_answer(pages: PageColumns) -> "np.typing.NDArray[np.bool_]":
    """Does a visit say that there is a page or none, and not only that its server failed?"""
    statuses = pages.statuses
    is_named: np.typing.NDArray[np.bool_] = (
        (statuses >= 200) & (statuses < 500) & (statuses != _TOO_MANY_REQUESTS)
    )
    return is_named


def _note(last: Places, at: int, nodes: Places, times: Places) -> None:
    in_time = (times <= at) & (nodes >= 0)
    np.maximum.at(last, nodes[in_time], times[in_time])
