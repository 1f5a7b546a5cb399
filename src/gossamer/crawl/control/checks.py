"""Whether an order makes sense for a crawl. Whoever gave it, by words or as JSON, it is looked at here."""

from math import isfinite

from msgspec.structs import replace

from gossamer.base import recipe
from gossamer.base.settings import LONGEST_GAP, Settings
from gossamer.base.url import Spelling
from gossamer.crawl.control.in_force import InForce
from gossamer.crawl.control.order_journal import OrdersOnRecord
from gossamer.crawl.control.orders import (
    AddSeeds,
    BlockUrls,
    Change,
    DelayHost,
    Order,
    Prioritise,
    RevisitNow,
    UnblockUrls,
)
from gossamer.crawl.control.patterns import OrderError, read_pattern, read_whole_host
from gossamer.crawl.control.words import check_change
from gossamer.crawl.seeds import read_seeds

_MOST_ENTRIES = 10_000
"""Blocks, delays and priorities at the same time: each ring has all of them in memory."""
MOST_URLS = 10_000
"""URLs of one order."""


def check(order: Order, settings: Settings, in_force: InForce) -> Order:
    """The same order in one spelling; one that cannot be carried out is an error of one line."""
    if isinstance(order, BlockUrls | DelayHost | Prioritise) and in_force.size >= _MOST_ENTRIES:
        raise OrderError(
            f"{in_force.size:,} blocks, delays and priorities are in force, and there is no room for more; "
            "use patterns with *, or scope.exclude"
        )
    match order:
        case AddSeeds(urls):
            return AddSeeds(_read_urls(urls, settings))
        case RevisitNow(urls):
            return RevisitNow(_read_urls(urls, settings))
        case BlockUrls(what):
            return BlockUrls(read_pattern(what))
        case UnblockUrls(what):
            return _check_unblock(read_pattern(what), in_force)
        case DelayHost(host, seconds):
            return DelayHost(read_whole_host(host), _check_seconds(seconds))
        case Prioritise(what, level):
            return Prioritise(read_pattern(what), _check_level(level, settings))
        case Change(name, value):
            name = name if "." in name else recipe.find(name)
            check_change(settings, name, value)
            return Change(name, value)
    return order


def change(settings: Settings, order: Order) -> Settings:
    """The settings of a crawl after an order that was checked."""
    match order:
        case AddSeeds(urls):
            seeds = dict.fromkeys((*settings.crawl.seeds, *urls))
            return replace(settings, crawl=replace(settings.crawl, seeds=tuple(seeds)))
        case Change(name, value):
            return check_change(settings, name, value)
    return settings


def catch_up(settings: Settings, on_record: OrdersOnRecord) -> Settings:
    """The settings with all that was ordered. `crawl.toml` has it, unless somebody was killed in between."""
    added = [one.order for one in on_record.unfinished]
    seeds = tuple(url for order in added if isinstance(order, AddSeeds) for url in order.urls)
    settings = change(settings, AddSeeds(seeds))
    return recipe.change(settings, on_record.in_force.changes)


def _read_urls(urls: tuple[str, ...], settings: Settings) -> tuple[str, ...]:
    if len(urls) > MOST_URLS:
        raise OrderError(
            f"{len(urls):,} URLs are too many for one order; give {MOST_URLS:,} at most"
        )
    found = read_seeds(urls, Spelling(settings.url.rules), settings.fetch.schemes)
    return tuple(dict.fromkeys(url.text for url in found))


def _check_unblock(what: str, in_force: InForce) -> UnblockUrls:
    if what not in in_force.blocked:
        some = ", ".join([*in_force.blocked][:10]) or "nothing"
        raise OrderError(f"{what} is not blocked; blocked: {some}")
    return UnblockUrls(what)


def _check_seconds(seconds: float | None) -> float | None:
    if seconds is not None and not (isfinite(seconds) and 0 <= seconds <= LONGEST_GAP):
        raise OrderError(f"delay: {seconds:g} seconds are none; write 0 to {LONGEST_GAP:g}")
    return seconds


def _check_level(level: int | None, settings: Settings) -> int | None:
    levels = settings.frontier.levels
    if level is not None and not 0 <= level < levels:
        raise OrderError(f"priority: {level} is no level; write 0 (the first) to {levels - 1}")
    return level
