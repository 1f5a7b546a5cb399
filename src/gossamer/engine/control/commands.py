"""Commands: what a running crawl can be told. Each is one frozen record with a name of its own."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from gossamer.core.request import name_seed


class Pause(Struct, frozen=True, tag="pause"):
    """Begin no more visits, until `go_on`. A crawl that is resumed meanwhile is paused, too."""


class GoOn(Struct, frozen=True, tag="go_on"):
    """End a pause."""


class Stop(Struct, frozen=True, tag="stop"):
    """End the crawl cleanly. It can be resumed."""


class AddSeeds(Struct, frozen=True, tag="seeds"):
    """Begin at these URLs as well. The scope contains them, as all seeds."""

    urls: tuple[str, ...]


class BlockUrls(Struct, frozen=True, tag="block"):
    """Begin no visit to what matches. What waits is kept, and comes back after `unblock`."""

    what: str
    """A host or a URL, in which * stands for anything."""


class UnblockUrls(Struct, frozen=True, tag="unblock"):
    """End a block, named as it was given."""

    what: str


class DelayHost(Struct, frozen=True, tag="delay"):
    """For this host, `politeness.delay` has another value. What robots.txt asks for still counts."""

    host: str
    seconds: float | None = None
    """None: as the settings say."""


class Prioritise(Struct, frozen=True, tag="priority"):
    """Give matching URLs this level, waiting or new, whatever the order of the crawl says."""

    what: str
    level: int | None = None
    """0 is the first. None: as the order of the crawl says, for new URLs."""


class RevisitNow(Struct, frozen=True, tag="revisit"):
    """Visit these URLs now, known or not, once."""

    urls: tuple[str, ...]


class Change(Struct, frozen=True, tag="set"):
    """A setting has another value from now on."""

    name: str
    """As `section.name`."""
    value: Any


class Undo(Struct, frozen=True, tag="undo"):
    """Take back a command that was given. The journal has the command that does so, never this one."""

    number: int = 0
    """Of the command; 0: the last one that can be taken back and was not."""


Command = (
    Pause
    | GoOn
    | Stop
    | AddSeeds
    | BlockUrls
    | UnblockUrls
    | DelayHost
    | Prioritise
    | RevisitNow
    | Change
    | Undo
)


ONCE = (AddSeeds, RevisitNow)
"""Commands that happen once: nothing of them is active afterwards."""


class RecordedCommand(Struct, frozen=True):
    """A command as it stands in the journal."""

    number: int
    """From 1 on, without gaps, for the whole life of a crawl."""
    time: float
    """When it was taken, in seconds since 1970."""
    origin: str
    """Who gave it: `tell, user root`, `browser 127.0.0.1`, `python`."""
    command: Command
    undo: Command | None = None
    """The command that takes it back; None when nothing can, or when it changed nothing."""
    undoes: int = 0
    """The number of the command that it takes back, if it was given for that."""


def say(command: Command) -> str:
    """A command in the words of the command line.

    >>> say(BlockUrls("example.org")), say(Change("politeness.delay", 2)), say(DelayHost("a.test"))
    ('block example.org', 'set politeness.delay=2', 'delay a.test default')
    """
    return " ".join(_say(command))


def _say(command: Command) -> Iterator[str]:
    match command:
        case Pause():
            yield "pause"
        case GoOn():
            yield "go-on"
        case Stop():
            yield "stop"
        case AddSeeds(urls):
            yield from ("seeds", *map(name_seed, urls))
        case BlockUrls(what):
            yield from ("block", what)
        case UnblockUrls(what):
            yield from ("unblock", what)
        case DelayHost(host, seconds):
            yield from ("delay", host, _default(seconds))
        case Prioritise(what, level):
            yield from ("priority", what, _default(level))
        case RevisitNow(urls):
            yield from ("revisit", *urls)
        case Change(name, value):
            yield from ("set", f"{name}={_value(value)}")
        case Undo(number):
            yield from ("undo", *([str(number)] if number else []))


def _default(number: float | None) -> str:
    return "default" if number is None else f"{number:g}"


def _value(value: Any) -> str:
    import msgspec

    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
