"""The web as it was at a time: of each page, the links that its last visit until then brought.

A page that was found unchanged has the links of the visit before. One that was gone or had moved has none;
one whose server failed has those it had. Nothing that was seen later is known.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gossamer.harvest.graph.build.numbering import numbers_of
from gossamer.harvest.graph.build.tables import LinkColumns, PageColumns, read_links, read_pages
from gossamer.harvest.graph.urls import UrlMap
from gossamer.harvest.graph.urls.keys import Places

_NEVER = -2
_TOO_MANY_REQUESTS = 429


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
    """The last visit to each URL, until a time, that says which links it has."""
    last = np.full(len(known), _NEVER, np.int64)
    for path in tables:
        if path.parent.name == "links":
            for links in read_links(path, with_times=True):
                _note(last, at, numbers_of(known, links.sources), links.times)
        else:
            for pages in read_pages(path):
                is_telling = _is_telling(pages)
                nodes = numbers_of(known, pages.urls)[is_telling]
                _note(last, at, nodes, pages.times[is_telling])
    return last


def _is_telling(pages: PageColumns) -> "np.typing.NDArray[np.bool_]":
    """Does a visit say that links are as its rows have them, or that there are none?"""
    statuses = pages.statuses
    is_answer = (statuses >= 200) & (statuses < 500) & (statuses != _TOO_MANY_REQUESTS)
    told: np.typing.NDArray[np.bool_] = is_answer & ~pages.is_unchanged & (statuses != 304)
    return told


def _note(last: Places, at: int, nodes: Places, times: Places) -> None:
    in_time = (times <= at) & (nodes >= 0)
    np.maximum.at(last, nodes[in_time], times[in_time])
