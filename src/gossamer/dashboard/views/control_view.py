"""Commands that were given, those that are active, and settings that may change while the crawl runs."""

from collections.abc import Collection
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.core import settings_file
from gossamer.core.settings import Settings
from gossamer.dashboard.jobs import JobState
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.view_protocol import SortableAsked, View
from gossamer.engine.control import command_history
from gossamer.engine.control.commands import RecordedCommand, say
from gossamer.engine.control.control_state import ControlState
from gossamer.engine.control.control_state import look as view_commands

_MOST = 200


class ControlAsked(SortableAsked, frozen=True):
    number: int = 0
    """Of the command that was given just now, to say that it is recorded."""


class GivenCommand(Struct, frozen=True):
    """A command that was given."""

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
    """Commands and settings of a crawl."""

    state: ControlState
    orders: list[GivenCommand]
    """The latest first."""
    knobs: list[Knob]
    just_given: GivenCommand | None = None
    max_pages: int = 0
    """The limit of pages; 0: none."""
    job: JobState | None = None
    """What was last started from here, and how far it is."""


def look(crawl: ShownCrawl, asked: ControlAsked) -> Control:
    given = list_given(crawl)
    return Control(
        replace(view_commands(crawl.path), is_running=crawl.is_running),
        given,
        list_knobs(crawl.settings),
        next((command for command in given if command.number == asked.number), None),
        crawl.settings.crawl.max_pages,
        crawl.jobs.state,
    )


def list_given(crawl: ShownCrawl) -> list[GivenCommand]:
    """The last commands, the latest first."""
    history = command_history(crawl.path)
    undone = {command.undoes for command in history}
    return [_given(command, undone) for command in history[-_MOST:]][::-1]


def find_given(crawl: ShownCrawl, number: int) -> GivenCommand | None:
    """One of these by its number."""
    return (
        next((command for command in list_given(crawl) if command.number == number), None)
        if number
        else None
    )


def list_knobs(settings: Settings) -> list[Knob]:
    """Settings that are marked as changeable, with their values."""
    values = msgspec.to_builtins(settings)
    return [
        Knob(f"{section}.{name}", _write(values[section][name]), about)
        for section, fields in settings_file.describe().items()
        for name, (_, _, about) in fields.items()
        if settings_file.is_changeable(f"{section}.{name}")
    ]


def _write(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _given(ordered: RecordedCommand, undone: Collection[int]) -> GivenCommand:
    undo = say(ordered.undo) if ordered.undo is not None and ordered.number not in undone else ""
    return GivenCommand(ordered.number, ordered.time, ordered.origin, say(ordered.command), undo)


CONTROL = View(
    path="/control",
    title="Control",
    about="Commands given, commands active, and settings that may be changed.",
    asked=ControlAsked,
    answer=Control,
    look=look,
    template="control.html",
)
