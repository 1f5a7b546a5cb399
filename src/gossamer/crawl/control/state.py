"""What is in force in a crawl that may be running, for people."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from gossamer.base.directory import Directory
from gossamer.crawl.control.checks import catch_up
from gossamer.crawl.control.in_force import InForce
from gossamer.crawl.control.order_journal import OrdersOnRecord, history_of_orders
from gossamer.crawl.control.orders import Change, Ordered, say


class ControlState(Struct, frozen=True):
    """What orders have led to."""

    is_running: bool
    in_force: InForce
    settings: dict[str, Any] = {}
    """Settings that were ever changed by an order, as they are now."""
    last: Ordered | None = None


def look(path: str | Path) -> ControlState:
    """What is in force, from what is on record: nobody has to be asked."""
    directory = Directory(Path(path))
    on_record, history = OrdersOnRecord(directory.control), history_of_orders(path)
    settings = catch_up(directory.look(), on_record)
    names = {one.order.name for one in history if isinstance(one.order, Change)}
    values = {name: _find(settings, name) for name in sorted(names)}
    last = history[-1] if history else None
    return ControlState(directory.is_in_use, on_record.in_force, values, last)


def say_state(state: ControlState) -> str:
    """The same in lines.

    >>> print(say_state(ControlState(False, InForce(2, True, {"a.test": 1}))))
    the crawl does not run; when it is resumed, this is in force:
    paused
    block a.test
    """
    head = "the crawl runs" if state.is_running else "the crawl does not run; when it is resumed"
    lines = [*_lines(state)]
    return "\n".join(
        [f"{head}, this is in force:" if lines else f"{head}, no order is in force", *lines]
    )


def _lines(state: ControlState) -> Iterator[str]:
    in_force = state.in_force
    if in_force.is_paused:
        yield "paused"
    yield from (f"block {what}" for what in in_force.blocked)
    yield from (f"delay {host} {seconds:g}" for host, (seconds, _) in in_force.delays.items())
    yield from (f"priority {what} {level}" for what, (level, _) in in_force.priorities.items())
    yield from (say(Change(name, value)) for name, value in state.settings.items())


def _find(settings: Any, name: str) -> Any:
    section, _, field = name.partition(".")
    return getattr(getattr(settings, section, None), field, None)
