"""Commands as people type them: `block example.org`, `set politeness.delay=2`."""

import difflib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

from gossamer.core import settings_file
from gossamer.core.settings import Settings
from gossamer.engine.control.command_patterns import CommandError, read_pattern, read_whole_host
from gossamer.engine.control.commands import (
    AddSeeds,
    BlockUrls,
    Change,
    Command,
    DelayHost,
    GoOn,
    Pause,
    Prioritise,
    RevisitNow,
    Stop,
    UnblockUrls,
    Undo,
)
from gossamer.engine.control.fixed_settings import check_unchanged
from gossamer.pipeline.scope import Scope

_DEFAULT = "default"
"""In the place of a number: as the settings or the order of the crawl say."""


def read_command(words: Sequence[str]) -> Command:
    """The command that is meant; `CommandError` says in one line what cannot be understood.

    >>> read_command(["block", "Example.org"])
    BlockUrls(what='example.org')
    >>> read_command(["blok", "example.org"])
    Traceback (most recent call last):
    gossamer.engine.control.command_patterns.CommandError: there is no command 'blok'; did you mean block?
    """
    if not words:
        raise CommandError(f"no command was given; known: {', '.join(COMMAND_WORDS)}")
    name, given = words[0].lower().replace("_", "-"), [str(word) for word in words[1:]]
    if (read := _READERS.get(name)) is None:
        near = difflib.get_close_matches(name, _READERS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(COMMAND_WORDS)}"
        raise CommandError(f"there is no command {words[0]!r}; {hint}")
    return read(given)


def _without_arguments(name: str, command: Command) -> Callable[[list[str]], Command]:
    def read(given: list[str]) -> Command:
        if given:
            raise CommandError(f"{name} takes no arguments; remove {' '.join(given)!r}")
        return command

    return read


def _read_seeds(given: list[str]) -> Command:
    return AddSeeds(tuple(_some(given, "seeds", "URLs, e.g. seeds https://example.org/")))


def _read_block(given: list[str]) -> Command:
    return BlockUrls(read_pattern(_one(given, "block", "a host or a URL pattern")))


def _read_unblock(given: list[str]) -> Command:
    return UnblockUrls(read_pattern(_one(given, "unblock", "a host or a URL pattern")))


def _read_delay(given: list[str]) -> Command:
    host, number = _two(given, "delay", "a host and seconds, e.g. delay example.org 10")
    if number == _DEFAULT:
        return DelayHost(read_whole_host(host))
    return DelayHost(read_whole_host(host), _number(number, "delay", float))


def _read_priority(given: list[str]) -> Command:
    what, number = _two(
        given, "priority", "a host or a URL pattern, and a level, e.g. priority example.org 0"
    )
    if number == _DEFAULT:
        return Prioritise(read_pattern(what))
    return Prioritise(read_pattern(what), int(_number(number, "priority", int)))


def _read_revisit(given: list[str]) -> Command:
    return RevisitNow(tuple(_some(given, "revisit", "URLs or URL patterns")))


def _read_set(given: list[str]) -> Command:
    name, is_there, text = _one(given, "set", "a setting, e.g. set politeness.delay=2").partition(
        "="
    )
    if not is_there:
        raise CommandError(f"set: {given[0]!r} has no value; write e.g. {given[0]}=2")
    return Change(*read_change(name.strip(), text.strip()))


def _read_undo(given: list[str]) -> Command:
    if not given:
        return Undo()
    return Undo(int(_number(_one(given, "undo", "the number of a command"), "undo", int)))


_READERS: Mapping[str, Callable[[list[str]], Command]] = {
    "pause": _without_arguments("pause", Pause()),
    "go-on": _without_arguments("go-on", GoOn()),
    "resume": _without_arguments("resume", GoOn()),
    "stop": _without_arguments("stop", Stop()),
    "seeds": _read_seeds,
    "block": _read_block,
    "unblock": _read_unblock,
    "delay": _read_delay,
    "priority": _read_priority,
    "revisit": _read_revisit,
    "set": _read_set,
    "undo": _read_undo,
}
COMMAND_WORDS = tuple(name for name in _READERS if name != "resume")


def read_change(name: str, text: str) -> tuple[str, Any]:
    """A setting by its full name, and its value as in TOML; quotes may be left out.

    >>> read_change("max_pages", "100"), read_change("scope.kind", "domain")
    (('crawl.max_pages', 100), ('scope.kind', 'domain'))
    """
    if "." not in name:
        name = settings_file.find(name)
    try:
        return name, tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return name, text


def check_change(settings: Settings, name: str, value: Any) -> Settings:
    """The settings after a change; refused if the setting cannot change while a crawl runs."""
    after = settings_file.change(settings, {name: value})
    if not settings_file.is_changeable(name):
        check_unchanged(settings, after)  # `gossamer resume` would refuse it as well
        raise CommandError(
            f"{name} cannot be changed while a crawl runs; stop it, and change it with "
            f"`gossamer resume DIR --set {name}=…`; `gossamer settings` marks those that can"
        )
    Scope(after.scope, (), after.fetch.max_url)  # its expressions must be some
    return after


def _some(given: list[str], name: str, what: str) -> list[str]:
    if not given:
        raise CommandError(f"{name} needs {what}")
    return given


def _one(given: list[str], name: str, what: str) -> str:
    if len(given) != 1:
        raise CommandError(f"{name} needs {what}; {len(given)} words were given")
    return given[0]


def _two(given: list[str], name: str, what: str) -> tuple[str, str]:
    if len(given) != 2:
        raise CommandError(f"{name} needs {what}; {len(given)} words were given")
    return given[0], given[1].lower()


def _number(text: str, name: str, kind: type[int] | type[float]) -> float:
    try:
        number = kind(text)
        is_number = isfinite(number)
    except (ValueError, OverflowError):
        is_number = False
    if not is_number:
        raise CommandError(f"{name}: {text!r} is not a number; write e.g. 2, or {_DEFAULT}")
    return number
