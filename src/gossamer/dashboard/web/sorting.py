"""Short tables sorted by a column that the address names; long ones are sorted where they are looked up."""

from collections.abc import Iterable
from typing import Any

from gossamer.dashboard.view_protocol import SortableAsked


def in_order(rows: Iterable[Any], asked: SortableAsked, table: str) -> list[Any]:
    """Rows of a table by the column that was asked for; what has no value comes last.

    >>> from gossamer.dashboard.views.overview_view import Tallied
    >>> rows = [Tallied("404", 2, ""), Tallied("200", 7, "")]
    >>> [row.name for row in in_order(rows, SortableAsked(sort="answers.count", down=True), "answers")]
    ['200', '404']
    """
    listed = [*rows]
    name, _, column = asked.sort.rpartition(".")
    if name != table or not listed:
        return listed
    values = {id(row): _value(row, column) for row in listed}
    there = [row for row in listed if values[id(row)] is not None]
    there.sort(key=lambda row: values[id(row)], reverse=asked.down)
    return there + [row for row in listed if values[id(row)] is None]


def _value(row: Any, column: str) -> Any:
    """The value to sort a row by: a field, or a place in a pair."""
    if isinstance(row, tuple):
        row = row[int(column)] if column.isdigit() and int(column) < len(row) else None
    else:
        row = getattr(row, column, None)
    if isinstance(row, str):
        return row.casefold()
    return row if isinstance(row, int | float) else None
