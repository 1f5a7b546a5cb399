"""What was ordered, what is in force, and which settings may change while the crawl runs."""

from collections.abc import Collection
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.base import recipe
from gossamer.base.settings import Settings
from gossamer.crawl.control import history_of_orders
from gossamer.crawl.control.orders import Ordered, say
from gossamer.crawl.control.state import ControlState
from gossamer.crawl.control.state import look as look_at_orders
from gossamer.serve.jobs import JobState
from gossamer.serve.shown_crawl import ShownCrawl
from gossamer.serve.subject import SortableAsked, Subject

_MOST = 200


class ControlAsked(SortableAsked, frozen=True):
    number: int = 0
    """Of the order that was given just now, to say that it is on record."""


class OrderGiven(Struct, frozen=True):
    """An order that was given."""

    number: int
    time: float
    origin: str
    words: str
    undo: str = ""
    """The words that take it back; empty when nothing does, or something did."""


class Knob(Struct, frozen=True):
    """A setting that may change while the crawl runs."""

    name: str
    value: str
    """As it is written in crawl.toml."""
    about: str


class Control(Struct, frozen=True):
    """How a crawl is steered."""

    state: ControlState
    orders: list[OrderGiven]
    """The newest first."""
    knobs: list[Knob]
    just_given: OrderGiven | None = None
    max_pages: int = 0
    """The limit of pages; 0: none."""
    job: JobState | None = None
    """What was last started from here, and how far it is."""


def look(crawl: ShownCrawl, asked: ControlAsked) -> Control:
    given = list_given(crawl)
    return Control(
        replace(look_at_orders(crawl.path), is_running=crawl.is_running),
        given,
        list_knobs(crawl.settings),
        next((one for one in given if one.number == asked.number), None),
        crawl.settings.crawl.max_pages,
        crawl.jobs.state,
    )


def list_given(crawl: ShownCrawl) -> list[OrderGiven]:
    """The last orders, the newest first."""
    history = history_of_orders(crawl.path)
    undone = {one.undoes for one in history}
    return [_given(one, undone) for one in history[-_MOST:]][::-1]


def find_given(crawl: ShownCrawl, number: int) -> OrderGiven | None:
    """One of these by its number."""
    return (
        next((one for one in list_given(crawl) if one.number == number), None) if number else None
    )


def list_knobs(settings: Settings) -> list[Knob]:
    """Settings that are marked as changeable, with their values."""
    values = msgspec.to_builtins(settings)
    return [
        Knob(f"{section}.{name}", _write(values[section][name]), about)
        for section, fields in recipe.describe().items()
        for name, (_, _, about) in fields.items()
        if recipe.is_changeable(f"{section}.{name}")
    ]


def _write(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _given(ordered: Ordered, undone: Collection[int]) -> OrderGiven:
    undo = say(ordered.undo) if ordered.undo is not None and ordered.number not in undone else ""
    return OrderGiven(ordered.number, ordered.time, ordered.origin, say(ordered.order), undo)


CONTROL = Subject(
    path="/control",
    title="Control",
    about="What was ordered, what is in force, and what may be changed.",
    asked=ControlAsked,
    answer=Control,
    look=look,
    template="control.html",
)
