"""Builds every component of a partition, new or as it was."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import cast

from msgspec import Struct
from msgspec.structs import asdict, replace

from gossamer.analyzers.duplicates.content_seen import Content
from gossamer.analyzers.duplicates.duplicates_analyzer import DuplicateAnalyzer
from gossamer.analyzers.duplicates.duplicates_state import read_content_state
from gossamer.analyzers.redundancy.redundancy_filter import RedundancyFilter
from gossamer.analyzers.redundancy.worth import LEVELS
from gossamer.core.agent import name_agent
from gossamer.core.analyzer_protocol import Analyzer, AnalyzerPlace, PageColumn
from gossamer.core.analyzer_registry import always, lasting, optional_of
from gossamer.core.directory import Directory
from gossamer.core.disk.disk_cache import DiskCache
from gossamer.core.errors import SettingsError
from gossamer.core.guarded_analyzer import build_optional, record_name
from gossamer.core.mistakes import Mistakes
from gossamer.core.records import Document, Page
from gossamer.core.settings import Settings, StoreSettings
from gossamer.core.url import Spelling, Url, owner_of
from gossamer.engine.blocked import Blocked
from gossamer.engine.inbox import Inbox
from gossamer.engine.ledger import Record
from gossamer.engine.recall import Recall
from gossamer.engine.set_aside import OutOfScope
from gossamer.engine.stateful_components import Components, StatefulComponents
from gossamer.engine.world import World
from gossamer.output import KnownCrawl, Store, check_known, read_store_state
from gossamer.output.versions import History
from gossamer.pipeline.frontier import AddressTurns, DiskFrontier, LevelShare
from gossamer.pipeline.parse import Isolated, Parsers, find_installed
from gossamer.pipeline.robots import Gate
from gossamer.pipeline.scope import Scope, ScopeRule
from gossamer.pipeline.seen import DiskSeen, pack, unpack
from gossamer.policy.budget import find_function, open_admission
from gossamer.policy.order import (
    Function,
    Guarded,
    Order,
    Ordering,
    OrderPlace,
    Policy,
    can_travel,
    is_policy,
    make_order,
)
from gossamer.policy.revisit import Revisits, check_revisits


class Plugins(Struct, frozen=True):
    """Parts that a program passes and no settings file can hold."""

    rule: ScopeRule | None = None
    parsers: Mapping[str, Callable[[Page], Document] | Isolated] = {}
    order: Order | Policy | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Which of these are given."""
        parts = (("scope", self.rule), ("parsers", self.parsers), ("order", self.order))
        return tuple(name for name, part in parts if part)


def check_order(name: str) -> bool:
    """Refuse an order that does not exist; returns whether it works as well in several partitions."""
    with TemporaryDirectory() as folder:
        policy = make_order(name, OrderPlace(Path(folder)))
        policy.close()
    return can_travel(policy)


def _check(settings: Settings) -> None:
    """Check settings that would otherwise be read only after the crawl has begun."""
    find_function(settings.budget)
    check_revisits(settings.revisit)
    if settings.store.max_stored_pages and not settings.store.warc:
        raise SettingsError(
            "store.max_stored_pages: no page is stored while store.warc is false; set it to true"
        )
    proxy, authorities = settings.fetch.proxy, settings.fetch.ca_file
    if proxy and not re.match(r"(https?|socks(4a?|5h?))://[!-~]+$", proxy):
        raise SettingsError(
            f"fetch.proxy: {proxy!r} is not a proxy; write e.g. http://127.0.0.1:3128"
        )
    if authorities and not Path(authorities).is_file():
        raise SettingsError(f"fetch.ca_file: {authorities} does not exist or is not a file")


def _share(settings: Settings, partition: int) -> StoreSettings:
    """The store's settings for one of several partitions: each may keep its share of the pages."""
    most, partitions = settings.store.max_stored_pages, settings.crawl.partitions or 1
    share = most // partitions + (partition < most % partitions)
    return replace(settings.store, max_stored_pages=max(share, 1) if most else 0)


class Builder:
    """Makes components from settings.

    Wrong settings are found here, before a directory is touched.
    """

    def __init__(
        self, settings: Settings, seeds: Sequence[Url], plugins: Plugins, world: World
    ) -> None:
        self._settings = settings
        self._plugins = plugins
        self._random = Random(settings.crawl.random_seed)
        self._agent = name_agent(settings.agent)
        _check(settings)
        self._clock, self._poller = world.clock, world.poller()
        self._chance = world.chance
        self._mistakes = mistakes = Mistakes()
        self._asked_for = optional_of(settings)
        self._spelling = spelling = Spelling(settings.url.rules, mistakes)
        fetch, product = settings.fetch, settings.agent.product
        self._resolver = world.resolver(fetch, settings.dns, self._poller)
        self._fetcher = world.fetcher(fetch, self._agent, self._poller)
        installed = find_installed() if settings.parse.installed else {}
        parsers = {**installed, **plugins.parsers}
        self._parsers = Parsers(spelling, product, parsers, settings.parse, self._poller, mistakes)
        self._scope = Scope(
            *(settings.scope, seeds, fetch.max_url, plugins.rule, fetch.schemes, mistakes),
            personal_hosts=fetch.personal_hosts,
        )
        self._gate = Gate(settings.robots, product)
        if settings.crawl.known:
            check_known(Path(settings.crawl.known))

    def build(self, directory: Directory, record: Record) -> Components:
        """Build a partition as it was at a checkpoint, its output as it was at a later commit."""
        settings = self._settings
        disk_cache = directory.state / "disk_cache"
        self._gate.move_in(DiskCache(disk_cache / "robots", settings.robots.disk_bytes))
        self._resolver.move_in(DiskCache(disk_cache / "names", settings.dns.disk_bytes))
        for component in (self._gate, self._scope):
            if state := record.state(component.name):
                component.replay([state])
        stateful, known = self.build_state(directory, record), self._open_known(directory)
        return Components(
            **asdict(stateful),
            clock=self._clock,
            poller=self._poller,
            spelling=self._spelling,
            resolver=self._resolver,
            gate=self._gate,
            fetcher=self._fetcher,
            parsers=self._parsers,
            scope=self._scope,
            turns=self._turns(),
            known=known,
            analyzers=tuple(self._analyzers(stateful, known)),
            mistakes=self._mistakes,
            store=Store(
                directory.path,
                _share(settings, directory.partition),
                self._clock,
                crawl_toml=directory.recipe,
                user_agent=self._agent,
                operator=settings.agent.contact,
                partition=directory.partition,
                crawl=directory.crawl,
                state=read_store_state(record.latest(Store.name)),
                optional=self._switched_on(),
                draw=self._chance.randbytes,
            ),
        )

    def build_state(self, directory: Directory, record: Record) -> StatefulComponents:
        """The components that keep something in `state/`, the output apart."""
        settings, folder = self._settings, directory.state
        memory, past = settings.seen.memory, settings.store.history_memory
        content = read_content_state(record.latest(Content.name))
        ordering = self._ordering(folder / "order", record.state("order"), directory.partition)
        revisits = self._revisits(ordering, record.state(Revisits.name))
        had = None if revisits is None else revisits.had
        return StatefulComponents(
            frontier=self._frontier(folder / "frontier", record.state("frontier")),
            seen=DiskSeen(folder / "seen", memory=memory, checkpoint=record.state("seen")),
            admission=open_admission(
                settings, folder / "budget", record.state("budget"), self._mistakes
            ),
            content=Content(folder / "content", settings.content, content, had),
            history=History(folder / "history", past, record.state("history") or None),
            redundancy=self._redundancy_filter(folder / "held", record.state("held")),
            ordering=ordering,
            inbox=Inbox(directory.inbox, settings.listen.announced, record.state(Inbox.name)),
            blocked=Blocked(folder / "blocked", record.state(Blocked.name)),
            out_of_scope=OutOfScope(folder / "out_of_scope", record.state(OutOfScope.name)),
            revisits=revisits,
            optional=self._optional(folder / "analyzers", record),
        )

    def _switched_on(self) -> list[PageColumn]:
        """Columns of the pages table that are there because settings switch their analyzers on."""
        return [column for declaration, _ in self._asked_for for column in declaration.stored]

    def _optional(self, folder: Path, record: Record) -> tuple[Analyzer, ...]:
        """Analyzers that the settings switch on."""
        return tuple(
            build_optional(
                declaration,
                AnalyzerPlace(
                    self._settings,
                    own,
                    folder / declaration.name,
                    record.state(record_name(declaration)),
                    self._mistakes,
                ),
            )
            for declaration, own in self._asked_for
        )

    def _analyzers(
        self, stateful: StatefulComponents, known: KnownCrawl | None
    ) -> Iterator[Analyzer]:
        """All analyzers, in the order in which they are declared."""
        built: dict[str, Analyzer] = {
            "duplicates": DuplicateAnalyzer(self._settings.scope),
            "redundancy": stateful.redundancy,
        }
        if known is not None or stateful.revisits is not None:
            built["change"] = Recall(known, stateful.revisits)
        for declaration in always():
            if declaration.build is not None:
                yield declaration.build(AnalyzerPlace(self._settings))
            elif declaration.name in built:
                yield built[declaration.name]
        yield from stateful.optional

    def _open_known(self, directory: Directory) -> KnownCrawl | None:
        crawl = self._settings.crawl
        if not crawl.known:
            return None
        partitions, number = crawl.partitions or 1, directory.partition
        return KnownCrawl(
            Path(crawl.known),
            self._spelling,
            directory.state / "known",
            needs_records=self._settings.store.warc,
            is_own=lambda host: partitions == 1 or owner_of(host, partitions) == number,
            annotated=[*lasting(), *(column for column in self._switched_on() if column.lasts)],
        )

    def _turns(self) -> AddressTurns | None:
        politeness = self._settings.politeness
        if not politeness.delay:
            return None
        return AddressTurns(politeness.per_address, politeness.address_delay)

    def _redundancy_filter(self, folder: Path, state: bytes) -> RedundancyFilter:
        detect = self._settings.detect
        return RedundancyFilter(detect, self._spelling, self._scope, folder, pack, unpack, state)

    def _ordering(self, folder: Path, state: bytes, partition: int) -> Ordering:
        settings, order = self._settings, self._plugins.order
        if order is None:
            place = OrderPlace(folder, settings.crawl.random_seed, self._mistakes)
            policy = make_order(settings.order.name, place)
        else:
            policy = (
                Guarded(order, self._mistakes)
                if is_policy(order)
                else Function(cast(Order, order), self._mistakes)
            )
        levels, partitions = settings.frontier.levels, settings.crawl.partitions or 1
        is_continuous = settings.revisit.continuous
        first = int(settings.parse.page_requisites)
        return Ordering(policy, levels, folder, state, partition, partitions, is_continuous, first)

    def _revisits(self, ordering: Ordering, state: bytes) -> Revisits | None:
        settings, partitions = self._settings.revisit, self._settings.crawl.partitions or 1
        if not settings.continuous:
            return None
        may_lean = not self._settings.store.max_stored_pages
        return Revisits(settings, partitions, ordering.worth, state, may_lean)

    def _frontier(self, folder: Path, state: bytes) -> DiskFrontier:
        settings, politeness = self._settings.frontier, self._settings.politeness
        revisit, has_parts = self._settings.revisit, self._settings.parse.page_requisites
        levels = settings.levels + LEVELS + has_parts
        return DiskFrontier(
            folder,
            levels + revisit.continuous,
            settings.back_queues or 3 * self._settings.fetch.max_transfers,
            politeness.per_host,
            random=self._random,
            spacing=politeness.delay,
            memory=settings.memory,
            state=state or None,
            aside=LevelShare(levels, 1 - revisit.new_share) if revisit.continuous else None,
            keeps_first=has_parts,
        )
