"""Hosts, counted from the rows of their pages."""

from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.page_part import PagePart
from gossamer.dashboard.tables.page_table import PageTable, pages_of
from gossamer.dashboard.tables.table_gathering import Gathered


class CountedHost(Struct, frozen=True):
    """Counts of a host in the tables."""

    name: str
    visits: int
    pages: int
    """Visits that were answered, whatever the status."""
    errors: int
    """Visits that brought no page: no answer, or a status of 400 and more."""
    forbidden: int
    """Visits that robots.txt forbids."""
    bytes: int
    first: float
    """When it was visited first, in seconds since 1970."""
    last: float


class CountedHosts:
    """All hosts that were visited, as arrays by their number."""

    def __init__(self, table: PageTable, gathered: Gathered[PagePart]) -> None:
        self._table = table
        names = table.words.hosts.words
        self.size = len(names)
        self.names = pa.array(names[: self.size], pa.large_string())
        outcomes = table.words.columns["outcome"]
        fetched, forbidden = outcomes.find("fetched"), outcomes.find("robots_disallowed")
        self.columns: dict[str, NDArray[Any]] = {
            name: np.zeros(self.size, np.int64)
            for name in ("visits", "pages", "errors", "forbidden", "bytes", "last")
        }
        self.columns["first"] = np.full(self.size, np.iinfo(np.int64).max)
        for part in gathered.parts:
            self._add(part, fetched, forbidden)

    def __len__(self) -> int:
        return int(np.count_nonzero(self.columns["visits"]))

    def find(self, name: str) -> int:
        """The number of a host; -1 when it was not visited."""
        number = self._table.words.hosts.find(name)
        is_known = 0 <= number < self.size and self.columns["visits"][number]
        return number if is_known else -1

    def matching(self, part: str) -> NDArray[np.int64]:
        """The numbers of hosts with this in their names."""
        is_there = self.columns["visits"] > 0
        if part:
            found = pc.match_substring(self.names, part, ignore_case=True)
            is_there &= found.to_numpy(zero_copy_only=False)
        return np.flatnonzero(is_there)

    def sorted(self, numbers: NDArray[np.int64], by: str, is_falling: bool) -> NDArray[np.int64]:
        """By a column; hosts with the same value by their names."""
        if by == "name":
            found: NDArray[np.int64] = numbers[np.argsort(self._ranks[numbers])]
            return found[::-1] if is_falling else found
        values = self.columns[by][numbers]
        places = np.argsort(-values if is_falling else values, kind="stable").astype(np.int64)
        return numbers[places]

    @cached_property
    def _ranks(self) -> NDArray[np.int64]:
        """The place of each name among all, in the order of the alphabet."""
        order = pc.sort_indices(self.names).to_numpy()
        ranks = np.empty(len(order), np.int64)
        ranks[order] = np.arange(len(order))
        return ranks

    def line(self, number: int) -> CountedHost:
        column = self.columns
        return CountedHost(
            name=self.names[number].as_py(),
            visits=int(column["visits"][number]),
            pages=int(column["pages"][number]),
            errors=int(column["errors"][number]),
            forbidden=int(column["forbidden"][number]),
            bytes=int(column["bytes"][number]),
            first=int(column["first"][number]) / 1e6,
            last=int(column["last"][number]) / 1e6,
        )

    def _add(self, part: PagePart, fetched: int, forbidden: int) -> None:
        hosts, outcome = part.column("host"), part.column("outcome")
        is_page, is_forbidden = outcome == fetched, outcome == forbidden
        is_error = (~is_page & ~is_forbidden) | (part.column("status") >= 400)
        column, size = self.columns, self.size
        column["visits"] += np.bincount(hosts, minlength=size)[:size]
        for name, mask in (("pages", is_page), ("errors", is_error), ("forbidden", is_forbidden)):
            column[name] += np.bincount(hosts[mask], minlength=size)[:size]
        weights = np.bincount(hosts, part.column("bytes").astype(np.float64), minlength=size)
        column["bytes"] += weights.astype(np.int64)[:size]
        times = part.column("fetched_at")
        np.maximum.at(column["last"], hosts, times)
        np.minimum.at(column["first"], hosts, times)


def statuses_of_failing(crawl: ShownCrawl, least: int) -> dict[int, list[str]]:
    """Hosts that answered nothing but one error, this many times or more, by its status; 0: no answer at all.

    Of the files that are read already: nobody waits for this.
    """
    table = pages_of(crawl)
    gathered = table.glance()
    if gathered.unread:
        return {}
    return crawl.keep("failing_hosts", gathered.mark, lambda: _find_failing(table, gathered, least))


def _find_failing(
    table: PageTable, gathered: Gathered[PagePart], least: int
) -> dict[int, list[str]]:
    names = table.words.hosts.words
    visits = np.zeros(len(names), np.int64)
    lowest, highest = np.full(len(names), 1000), np.zeros(len(names), np.int64)
    forbidden = table.words.columns["outcome"].find("robots_disallowed")
    for part in gathered.parts:
        is_tried = part.column("outcome") != forbidden
        hosts, statuses = part.column("host")[is_tried], part.column("status")[is_tried]
        visits += np.bincount(hosts, minlength=len(names))[: len(names)]
        np.minimum.at(lowest, hosts, statuses)
        np.maximum.at(highest, hosts, statuses)
    is_error = (highest >= 400) | (highest == 0)
    failing = np.flatnonzero((visits >= least) & (lowest == highest) & is_error)
    found: dict[int, list[str]] = {}
    for number in failing.tolist():
        found.setdefault(int(highest[number]), []).append(names[number])
    return found


def hosts_of(crawl: ShownCrawl) -> tuple[CountedHosts, Gathered[PagePart]]:
    """The hosts of a crawl that is shown; counted again when there are new rows."""
    table = pages_of(crawl)
    gathered = table.look()
    return crawl.keep("host_table", gathered.mark, lambda: CountedHosts(table, gathered)), gathered
