"""Check that a command makes sense for a crawl, whether it came as words or as JSON."""

from math import isfinite

from msgspec.structs import replace

from gossamer.core import settings_file
from gossamer.core.request import is_request_line, line_of
from gossamer.core.settings import LONGEST_DELAY, Settings
from gossamer.core.url import Spelling
from gossamer.engine.control.active_commands import ActiveCommands
from gossamer.engine.control.command_journal import RecordedCommands
from gossamer.engine.control.command_patterns import CommandError, read_pattern, read_whole_host
from gossamer.engine.control.command_words import check_change
from gossamer.engine.control.commands import (
    AddSeeds,
    BlockUrls,
    Change,
    Command,
    DelayHost,
    Prioritise,
    RevisitNow,
    UnblockUrls,
)
from gossamer.engine.seeds import check_sessions, read_seeds

_MOST_ENTRIES = 10_000
"""Blocks, delays and priorities at the same time: each ring has all of them in memory."""
MOST_URLS = 10_000
"""URLs of one command."""


def check(command: Command, settings: Settings, active_commands: ActiveCommands) -> Command:
    """The same order in one spelling; one that cannot be carried out is an error of one line."""
    if (
        isinstance(command, BlockUrls | DelayHost | Prioritise)
        and active_commands.size >= _MOST_ENTRIES
    ):
        raise CommandError(
            f"{active_commands.size:,} blocks, delays and priorities are active, which is the "
            "limit; use patterns with *, or scope.exclude"
        )
    match command:
        case AddSeeds(urls):
            return AddSeeds(_read_urls(urls, settings))
        case RevisitNow(urls):
            if any(map(is_request_line, urls)):
                raise CommandError("revisit: a request is made once; give URLs only")
            return RevisitNow(_read_urls(urls, settings))
        case BlockUrls(what):
            return BlockUrls(read_pattern(what))
        case UnblockUrls(what):
            return _check_unblock(read_pattern(what), active_commands)
        case DelayHost(host, seconds):
            return DelayHost(read_whole_host(host), _check_seconds(seconds))
        case Prioritise(what, level):
            return Prioritise(read_pattern(what), _check_level(level, settings))
        case Change(name, value):
            name = name if "." in name else settings_file.find(name)
            check_change(settings, name, value)
            return Change(name, value)
    return command


def change(settings: Settings, command: Command) -> Settings:
    """The settings of a crawl after a command that was checked."""
    match command:
        case AddSeeds(urls):
            seeds = dict.fromkeys((*settings.crawl.seeds, *urls))
            return replace(settings, crawl=replace(settings.crawl, seeds=tuple(seeds)))
        case Change(name, value):
            return check_change(settings, name, value)
    return settings


def catch_up(settings: Settings, committed: RecordedCommands) -> Settings:
    """The settings with all commands. `crawl.toml` has them, unless a process was killed in between."""
    added = [one.command for one in committed.unfinished]
    seeds = tuple(url for command in added if isinstance(command, AddSeeds) for url in command.urls)
    settings = change(settings, AddSeeds(seeds))
    return settings_file.change(settings, committed.active_commands.changes)


def _read_urls(urls: tuple[str, ...], settings: Settings) -> tuple[str, ...]:
    if len(urls) > MOST_URLS:
        raise CommandError(
            f"{len(urls):,} URLs are too many for one command; give {MOST_URLS:,} at most"
        )
    found = read_seeds(urls, Spelling(settings.url.rules), settings.fetch.schemes)
    check_sessions(found, settings.fetch)
    return tuple(dict.fromkeys(map(line_of, found)))


def _check_unblock(what: str, active_commands: ActiveCommands) -> UnblockUrls:
    if what not in active_commands.blocked:
        some = ", ".join([*active_commands.blocked][:10]) or "nothing"
        raise CommandError(f"{what} is not blocked; blocked: {some}")
    return UnblockUrls(what)


def _check_seconds(seconds: float | None) -> float | None:
    if seconds is not None and not (isfinite(seconds) and 0 <= seconds <= LONGEST_DELAY):
        raise CommandError(f"delay: {seconds:g} is out of range; write 0 to {LONGEST_DELAY:.0f}")
    return seconds


def _check_level(level: int | None, settings: Settings) -> int | None:
    levels = settings.frontier.levels
    if level is not None and not 0 <= level < levels:
        raise CommandError(f"priority: {level} is not a level; write 0 (the first) to {levels - 1}")
    return level
