"""One summary of many."""

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from msgspec.structs import replace

from gossamer.engine.summary import NOTHING, Summary

_TOP = 20
"""Domains shown with their budgets."""


def merge(summaries: Sequence[Summary], seconds: float, stopped_by: str, directory: str) -> Summary:
    """Merge the summaries of all partitions: counts are added up."""
    names = [name for name in Summary.__struct_fields__ if name not in _NOT_ADDED]
    merged = {
        name: _add([getattr(summary, name) for summary in (NOTHING, *summaries)]) for name in names
    }
    merged["budgets"] = dict(Counter(merged["budgets"]).most_common(_TOP))
    return replace(
        NOTHING,
        **merged,
        seconds=round(seconds, 3),
        pages_per_second=round(merged["pages"] / seconds, 2) if seconds else 0.0,
        stopped_by=stopped_by,
        directory=directory,
        wait_seconds=_next_of(summaries).wait_seconds,
        is_over_budget=_next_of(summaries).is_over_budget,
        partitions=len(summaries),
    )


_NOT_ADDED = {
    *("seconds", "pages_per_second", "stopped_by", "directory", "partitions"),
    *("wait_seconds", "is_over_budget", "machines", "is_paused"),
}


def _next_of(summaries: Sequence[Summary]) -> Summary:
    """The partition that can do something first, of those that have something to do."""
    busy = [summary for summary in summaries if summary.waiting or summary.in_flight]
    return min(busy, key=lambda one: one.wait_seconds, default=NOTHING)


def _add(values: Sequence[Any]) -> Any:
    """Numbers are added, those under the same name or at the same place; sentences are all kept."""
    first = values[0]
    if isinstance(first, dict):
        total: Counter[str] = Counter()
        for some in values:
            total.update(some)
        return dict(total.most_common())
    if isinstance(first, tuple):
        together = tuple(one for some in values for one in some)
        has_words = any(isinstance(one, str) for one in together)
        return together if has_words else tuple(map(sum, zip_longest(*values, fillvalue=0)))
    return sum(values)
