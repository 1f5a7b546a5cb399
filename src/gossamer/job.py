"""A crawl from its seeds to its summary: a directory, a ring, and when to stop."""

import re
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from gossamer.base import recipe
from gossamer.base.clock import Clock, SystemClock
from gossamer.base.errors import DirectoryError, SeedError
from gossamer.base.poller import Poller
from gossamer.base.records import Candidate, Document, Kept, Page
from gossamer.base.settings import AgentSettings, Settings
from gossamer.base.url import Spelling, Url, is_address
from gossamer.crawl import Ring, Rooms
from gossamer.cycle.content import ExactContent
from gossamer.cycle.dns import ProxiedNames, Resolver
from gossamer.cycle.fetch import Fetcher
from gossamer.cycle.frontier import MemoryFrontier
from gossamer.cycle.parse import Parsers
from gossamer.cycle.robots import Gate
from gossamer.cycle.scope import Scope, ScopeRule
from gossamer.cycle.seen import MemorySeen
from gossamer.harvest.store import Known, Store
from gossamer.policy.order import BreadthFirst, Order
from gossamer.tally import Summary

VERSION = "0.1.0"

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d)")
"""A scheme; `localhost:8000` has none."""

_COMMIT_EVERY = 1.0
"""Seconds between two group commits."""


class Crawl:
    """A crawl; iterate over it to run it.

    >>> crawl = Crawl("https://example.org/", out="example", max_pages=100)
    >>> crawl.settings.crawl.max_pages
    100

    Any setting can be given by its name alone when only one section has it (`delay=2.0`), or
    all of them as `settings=`. `scope` takes a kind (`"domain"`) or a function from a `Link` to
    a bool; `parsers` maps media types to functions from a `Page` to a `Document`; `order` is a
    function from a `Candidate` to a score between 0 and 1.
    """

    def __init__(
        self,
        *seeds: str,
        out: str | Path,
        settings: Settings | None = None,
        scope: str | ScopeRule | None = None,
        parsers: Mapping[str, Callable[[Page], Document]] | None = None,
        order: Order | None = None,
        **knobs: Any,
    ) -> None:
        changes = {recipe.find(name): value for name, value in knobs.items()}
        if seeds:
            changes["crawl.seeds"] = list(seeds)
        if scope is not None:
            changes["scope.kind"] = scope if isinstance(scope, str) else "all"
        self.settings = recipe.change(settings or Settings(), changes)
        self.out = Path(out)
        self.stopped_by = ""
        self._rule = scope if callable(scope) else None
        self._parsers = parsers or {}
        self._order = order
        self._spelling = Spelling(self.settings.url.rules)
        self.seeds = read_seeds(
            self.settings.crawl.seeds, self._spelling, self.settings.fetch.schemes
        )
        self._started = self._ended = self._next_commit = 0.0
        self._ring: Ring | None = None

    def __iter__(self) -> Iterator[Document]:
        """Run the crawl, yielding every document as it is read; leaving the loop ends it cleanly."""
        with closing(self.turns()) as turns:
            for batch in turns:
                for kept in batch:
                    yield kept.document

    def turns(self) -> Generator[list[Kept], None, None]:
        """Run the crawl, yielding what came of each turn of the ring, which may be nothing."""
        ring = self._ring = self._open()
        try:
            while not self._is_over(ring):
                yield ring.turn(self._room(ring), self._commit(ring))
        except GeneratorExit:
            self.stop("abandoned")
            raise
        finally:
            self._close(ring)

    def run(self) -> Summary:
        """Run the crawl to its end."""
        for _ in self.turns():
            pass
        return self.summary()

    def stop(self, reason: str = "interrupted") -> None:
        """End the crawl after the turn that is under way."""
        self.stopped_by = self.stopped_by or reason

    def summary(self) -> Summary:
        """What has been done so far, or in the end."""
        assert self._ring is not None, "the crawl has not begun"
        rooms, tally = self._ring.rooms, self._ring.tally
        seconds = (self._ended or time.monotonic()) - self._started
        return Summary(
            pages=tally.pages,
            bytes=tally.bytes,
            seconds=round(seconds, 3),
            pages_per_second=round(tally.pages / seconds, 2) if seconds else 0.0,
            links=tally.links,
            unique_urls=rooms.seen.statistics().known,
            waiting=len(rooms.frontier),
            hosts=rooms.frontier.statistics().hosts,
            in_flight=rooms.fetcher.in_flight,
            duplicates=tally.duplicates,
            statuses={str(status): count for status, count in sorted(tally.statuses.items())},
            refused=dict(tally.refused.most_common()),
            errors=dict(tally.errors.most_common()),
            stopped_by=self.stopped_by,
            directory=str(self.out),
        )

    # How it runs.

    def _room(self, ring: Ring) -> int:
        """How many visits may be started now, so that `max_pages` is met exactly."""
        room = self.settings.fetch.transfers - ring.rooms.fetcher.in_flight
        limit = self.settings.crawl.max_pages
        return min(room, limit - ring.tally.pages - ring.pages_in_flight) if limit else room

    def _is_over(self, ring: Ring) -> bool:
        limits = self.settings.crawl
        if limits.max_pages and ring.tally.pages >= limits.max_pages:
            self.stop("max_pages")
        elif limits.max_seconds and time.monotonic() - self._started >= limits.max_seconds:
            self.stop("max_time")
        elif ring.is_idle:
            self.stop("finished")
        elif ring.idle_seconds() > self.settings.politeness.patience:
            self.stop("on_hold")
        return bool(self.stopped_by)

    def _commit(self, ring: Ring) -> float:
        """Make durable what is due; returns the seconds until the next commit."""
        now = time.monotonic()
        if now >= self._next_commit:
            ring.rooms.store.flush()
            self._write_status()
            self._next_commit = now + _COMMIT_EVERY
        return max(0.0, self._next_commit - now)

    def _open(self) -> Ring:
        ring = Ring(self._furnish(), self.settings)
        self._started = time.monotonic()
        self._next_commit = self._started + _COMMIT_EVERY
        ring.admit([Candidate(seed) for seed in self.seeds])
        return ring

    def _close(self, ring: Ring) -> None:
        self._ended = time.monotonic()
        rooms = ring.rooms
        rooms.fetcher.close()
        rooms.resolver.close()
        rooms.store.close()
        rooms.poller.close()
        self._write_status()

    def _write_status(self) -> None:
        target = self.out / "state" / "status.json"
        fresh = target.with_suffix(".new")
        fresh.write_bytes(msgspec.json.encode(self.summary()))
        fresh.replace(target)

    def _furnish(self) -> Rooms:
        """Build every room, from the settings alone; the directory last, when nothing can be wrong."""
        settings, spelling = self.settings, self._spelling
        clock, poller, random = SystemClock(), Poller(), Random(settings.crawl.random_seed)
        agent, fetch = name_agent(settings.agent), settings.fetch
        return Rooms(
            clock=clock,
            poller=poller,
            spelling=spelling,
            frontier=self._build_frontier(random),
            resolver=ProxiedNames() if fetch.proxy else Resolver(settings.dns, poller, clock),
            gate=Gate(settings.robots, settings.agent.product),
            fetcher=Fetcher(fetch, agent, poller, clock),
            parsers=Parsers(spelling, settings.agent.product, self._parsers, settings.parse),
            content=ExactContent(),
            scope=Scope(settings.scope, self.seeds, fetch.max_url, self._rule, fetch.schemes),
            seen=MemorySeen(),
            order=self._order or BreadthFirst(settings.frontier.levels),
            known=self._open_known(),
            store=self._build_store(clock, agent, random),
        )

    def _open_known(self) -> Known | None:
        directory = self.settings.crawl.known
        return Known(Path(directory), self._spelling) if directory else None

    def _build_frontier(self, random: Random) -> MemoryFrontier:
        settings, politeness = self.settings.frontier, self.settings.politeness
        back_queues = settings.back_queues or 3 * self.settings.fetch.transfers
        return MemoryFrontier(
            settings.levels, back_queues, politeness.per_host, random, politeness.delay
        )

    def _build_store(self, clock: Clock, agent: str, random: Random) -> Store:
        text = recipe.write(self.settings)
        _claim(self.out)
        (self.out / "crawl.toml").write_text(text, "utf-8")
        return Store(
            self.out,
            self.settings.store,
            clock,
            crawl_toml=text,
            user_agent=agent,
            operator=self.settings.agent.contact,
            random=random,
        )


def read_seeds(
    texts: Iterable[str], spelling: Spelling, schemes: Iterable[str] = ("http", "https")
) -> list[Url]:
    """Seeds as people type them; a missing scheme is https, or http for an address or localhost."""
    known = tuple(f"{scheme}:" for scheme in schemes)
    seeds = [_read_seed(text.strip(), spelling, known) for text in texts]
    if not seeds:
        raise SeedError("no seed given; name at least one URL, e.g. https://example.org/")
    return seeds


def _read_seed(text: str, spelling: Spelling, schemes: tuple[str, ...]) -> Url:
    if not _SCHEME.match(text):
        host = text.partition("/")[0].rpartition(":")[0] or text.partition("/")[0]
        scheme = "http" if host == "localhost" or is_address(host) else "https"
        url = spelling.parse(f"{scheme}://{text}")
    else:
        url = spelling.parse(text)
    has_place = url is not None and (url.host or url.scheme == "file")
    if url is None or not has_place or not url.text.startswith(schemes):
        raise SeedError(f"seed {text!r} is no http or https URL; write e.g. https://example.org/")
    return url


def name_agent(settings: AgentSettings) -> str:
    """The User-Agent line.

    >>> name_agent(AgentSettings(contact="https://example.org/bot"))
    'Gossamer/0.1.0 (+https://example.org/bot)'
    """
    if settings.user_agent:
        return settings.user_agent
    contact = f" (+{settings.contact})" if settings.contact else ""
    return f"{settings.product}/{VERSION}{contact}"


def _claim(out: Path) -> None:
    """Make the crawl directory ours; one that holds anything else is left alone."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise DirectoryError(f"{out} exists and is not empty; choose another directory for -o")
    try:
        (out / "state").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DirectoryError(f"{out} cannot be made: {error.strerror}; choose another -o") from None
