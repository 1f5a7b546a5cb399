"""Sort hosts by a column of their list.

Counts are those of the tables. What the crawl knows beside them is of the last checkpoint; of a crawl that
runs, those with most waiting URLs are asked for what waits and how long they rest at this moment.
"""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gossamer.dashboard.checkpoint_reading import AtCheckpoint
from gossamer.dashboard.host_now import HostNow
from gossamer.dashboard.hosts_then import ValueName, hosts_then, mark_of
from gossamer.dashboard.live_state import ask_hosts
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.host_table import CountedHosts
from gossamer.engine.live_queries import MOST

HostColumn = Literal[
    "name",
    "visits",
    "pages",
    "errors",
    "forbidden",
    "bytes",
    "first",
    "last",
    "found",
    "robots",
    "waiting",
    "rest",
    "delay",
    "budget",
]
_Numbers = NDArray[np.int64]
_Values = NDArray[np.float64]

_AS_SHOWN = ("waiting", "rest", "delay")
"""Columns of `HostNow` that change by themselves."""
_PATIENCE = 0.2
"""Seconds that a page waits for the values of all hosts."""


def order_hosts(
    crawl: ShownCrawl,
    table: CountedHosts,
    known: AtCheckpoint | None,
    numbers: _Numbers,
    by: HostColumn,
    is_falling: bool,
) -> tuple[_Numbers, bool]:
    """The numbers in their order; are values still being read, so that the order will change?

    Hosts without a value come last, those with the same value stay in their order.
    """
    if by in table.columns or by == "name":
        return table.sorted(numbers, by, is_falling), False
    values = None if known is None else _values(crawl, table, known, by)
    if values is None:
        return numbers, True
    keys = -values[numbers] if is_falling else values[numbers]
    return numbers[np.argsort(np.where(np.isnan(keys), np.inf, keys), kind="stable")], False


def order_as_shown(
    names: list[str], shown: Mapping[str, HostNow], by: HostColumn, is_falling: bool
) -> list[str]:
    """The hosts of one page by the figures of this moment, if these change by themselves.

    >>> some = {"a.test": HostNow("a.test", 1, False, 0.0), "b.test": HostNow("b.test", 7, False, 0.0)}
    >>> order_as_shown([*some], some, "waiting", True), order_as_shown([*some], some, "rest", True)
    (['b.test', 'a.test'], ['a.test', 'b.test'])
    """
    if by not in _AS_SHOWN or any(name not in shown for name in names):
        return names
    return sorted(names, key=lambda name: getattr(shown[name], by) or 0, reverse=is_falling)


def _values(
    crawl: ShownCrawl,
    table: CountedHosts,
    known: AtCheckpoint,
    by: HostColumn,
) -> _Values | None:
    """The value of each host, by its number; None while they are being read."""
    if by == "found":
        return _spread(
            table, {name: float(len(found)) for name, found in known.findings.items()}, 0
        )
    if by == "robots":
        return crawl.keep("hosts by robots.txt", (known, table), lambda: _rank_robots(table, known))
    if by == "delay" or by == "budget":
        return _read(crawl, table, known, by)
    assert by == "waiting" or by == "rest", "other columns are counted from the tables"
    live = ask_hosts(crawl, [], most=MOST)
    if live is None:
        return _read(crawl, table, known, by)
    read = _read(crawl, table, known, "waiting" if by == "waiting" else "ready")
    if read is None:
        return None
    values = read.copy() if by == "waiting" else np.maximum(0.0, read - crawl.present)
    for now in live:
        if (number := table.find(now.name)) >= 0:
            values[number] = now.waiting if by == "waiting" else now.rest
    return values


def _read(
    crawl: ShownCrawl, table: CountedHosts, known: AtCheckpoint, name: ValueName
) -> _Values | None:
    mark = known, mark_of(crawl), table
    return crawl.keep_soon(
        _PATIENCE, f"hosts by {name}", mark, lambda: hosts_then(crawl).column(name, table)
    )


def _rank_robots(table: CountedHosts, known: AtCheckpoint) -> _Values:
    """By the words of what each robots.txt says, in the order of the alphabet."""
    said = {name: some[-1].said for name, some in known.robots.items() if some}
    ranks = {words: float(rank) for rank, words in enumerate(sorted({*said.values()}))}
    return _spread(table, {name: ranks[words] for name, words in said.items()}, np.nan)


def _spread(table: CountedHosts, found: dict[str, float], otherwise: float) -> _Values:
    values = np.full(table.size, otherwise)
    for name, value in found.items():
        if (number := table.find(name)) >= 0:
            values[number] = value
    return values
