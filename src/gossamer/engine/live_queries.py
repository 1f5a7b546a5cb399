"""Queries to a running ring: the state of hosts, and the URLs that come next. They change nothing."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from gossamer.core.protocols import HostView, WaitingView
from gossamer.core.records import Visit
from gossamer.core.settings import Settings
from gossamer.core.url import parse
from gossamer.engine.control.commands import Command
from gossamer.engine.control.control_messages import AskEffect, AskHosts, AskNext, Question
from gossamer.engine.effects import Effect, reach_of
from gossamer.engine.host_delays import HostDelays
from gossamer.engine.ring_commands import RingCommands
from gossamer.engine.stateful_components import Components

MOST = 1000
"""Hosts or URLs in one answer."""


class RobotsLook(Struct, frozen=True):
    """The state of an origin's robots.txt."""

    origin: str
    status: int
    is_reachable: bool
    expires: float
    crawl_delay: float | None
    trouble: str
    """What went wrong the last time; empty when nothing did."""
    failures: int


class HostLook(Struct, frozen=True):
    """The state of a host."""

    host: str
    waiting: int
    is_estimate: bool
    ready: float
    """From when on it may be asked, in seconds since 1970 …"""
    rest_seconds: float
    """… and how long that is from now."""
    level: int
    """Of the URL that comes next; -1 when none waits."""
    is_held: bool
    """Does it wait for an address, a robots.txt or its server's turn?"""
    leased: int
    """Visits under way."""
    delay: float
    """Seconds from the end of a request to the next, for an answer that comes at once …"""
    rule: str
    """… and which rule decided it."""
    budgeted_delay: float
    """What the budget of its domain asks for; 0 when there is none."""
    failures: int
    """Failed visits in a row."""
    is_blocked: bool
    priority: int | None
    """The level that an order gives it."""
    robots: list[RobotsLook]
    partition: int = 0


class NextLook(Struct, frozen=True):
    """A URL that waits."""

    url: str
    host: str
    level: int
    ready: float
    """From when on its host may be asked."""
    is_in_front: bool
    """Does it still stand in a front queue? Which host is asked when is not decided then."""
    via: str
    depth: int
    source: str
    attempt: int
    why: str
    """What decided its level, in words."""
    partition: int = 0


class HostsFound(Struct, frozen=True):
    hosts: list[HostLook]
    is_complete: bool
    """Were all hosts looked at? If not, another one may have more URLs."""


class NextFound(Struct, frozen=True):
    now: float
    urls: list[NextLook]
    levels: list[int]
    """URLs waiting in each front queue, best first."""


Found = HostsFound | NextFound | Effect


class LiveQueries:
    """Answers for one ring."""

    def __init__(
        self,
        components: Components,
        host_delays: HostDelays,
        ring_commands: RingCommands,
        partition: int,
    ) -> None:
        self._components = components
        self._host_delays = host_delays
        self._ring_commands = ring_commands
        self._partition = partition

    def answer(self, question: Question, settings: Settings) -> Found:
        most = max(0, min(getattr(question, "most", 0), MOST))
        if isinstance(question, AskEffect):
            return self._effect(question.command, settings)
        if isinstance(question, AskHosts):
            return self._hosts(question.names[:MOST], most)
        assert isinstance(question, AskNext), (
            "the command handler answers questions about active commands"
        )
        return self._next(question.host, most, settings)

    # Hosts.

    def _hosts(self, names: Sequence[str], most: int) -> HostsFound:
        frontier = self._components.frontier
        if names:
            own = [name for name in names if self._components.neighbours.is_own(name)]
            return HostsFound([self._host(frontier.view_host(name)) for name in own], True)
        views, is_complete = frontier.view_hosts(most)
        return HostsFound([self._host(view) for view in views], is_complete)

    def _host(self, view: HostView) -> HostLook:
        components, now, name = self._components, self._components.clock.now(), view.name
        origins = (f"https://{name}", f"http://{name}", *components.frontier.view_origins(name))
        robots = [look for origin in dict.fromkeys(origins) if (look := self._robots(origin))]
        crawl_delay = max((robots_look.crawl_delay or 0.0 for robots_look in robots), default=0.0)
        delay = self._host_delays.delay_of(name, crawl_delay)
        url = parse(f"http://{name}/")
        return HostLook(
            *(name, view.waiting, view.is_estimate, view.ready, max(0.0, view.ready - now)),
            *(view.level, view.is_held, view.leased, delay.seconds, delay.rule),
            self._host_delays.budgeted(name),
            self._host_delays.failures(name),
            components.blocked.is_host_blocked(name),
            self._ring_commands.level_of(url) if url is not None else None,
            robots,
            self._partition,
        )

    def _robots(self, origin: str) -> RobotsLook | None:
        known = self._components.gate.look(origin)
        if known is None:
            return None
        return RobotsLook(
            *(origin, known.status, known.is_reachable, known.expires, known.crawl_delay),
            *(known.trouble, known.failures),
        )

    # What an order would do.

    def _effect(self, order: Command, settings: Settings) -> Effect:
        reach = reach_of(order, settings, self._components.scope)
        counted = self._components.frontier.count(reach)
        return Effect(*counted, unseen=len(self._components.admission))

    # What comes next.

    def _next(self, host: str, most: int, settings: Settings) -> NextFound:
        frontier, now = self._components.frontier, self._components.clock.now()
        views = frontier.view_next(most, host, now)
        rows = [self._row(view, settings.order.name) for view in views]
        return NextFound(now, rows, list(frontier.statistics().levels))

    def _row(self, view: WaitingView, order: str) -> NextLook:
        visit = view.visit
        return NextLook(
            *(visit.url.text, visit.url.host, visit.level, view.ready, view.is_in_front),
            *(visit.via.value, visit.depth, visit.source, visit.attempt, self._why(visit, order)),
            self._partition,
        )

    def _why(self, visit: Visit, order: str) -> str:
        if self._components.blocked.is_blocked(visit.url):
            return "blocked by a command"
        if (level := self._ring_commands.level_of(visit.url)) is not None:
            return f"a command gives it level {level}"
        if visit.is_return:
            return "it was visited before, and is due again"
        if 0 <= visit.wish != visit.level:
            return f"{order} wants level {visit.wish}; results of similar URLs changed it"
        return f"{order} gives it this level"


def merge(found: Sequence[Found], question: Question) -> Found | None:
    """The answers of all partitions as one."""
    most = max(0, min(getattr(question, "most", 0), MOST))
    hosts = [one for one in found if isinstance(one, HostsFound)]
    if hosts:
        rows = [row for host in hosts for row in host.hosts]
        if isinstance(question, AskHosts) and not question.names:
            rows = sorted(rows, key=lambda row: -row.waiting)[:most]
        return HostsFound(rows, all(host.is_complete for host in hosts))
    effects = [one for one in found if isinstance(one, Effect)]
    if effects:
        return sum(effects, Effect(0, 0))
    nexts = [one for one in found if isinstance(one, NextFound)]
    if not nexts:
        return None
    now = max(next_found.now for next_found in nexts)
    key = [
        (max(row.ready, now), row.level, at)
        for next_found in nexts
        for at, row in enumerate(next_found.urls)
    ]
    urls = [row for next_found in nexts for row in next_found.urls]
    order = sorted(range(len(urls)), key=key.__getitem__)[:most]
    levels = [
        sum(lengths) for lengths in zip(*(next_found.levels for next_found in nexts), strict=True)
    ]
    return NextFound(now, [urls[at] for at in order], levels)


class AskedFrame(Struct, frozen=True):
    """A question on its way to a partition."""

    question: Question


class FoundFrame(Struct, frozen=True, array_like=True):
    """Its answer."""

    hosts: HostsFound | None = None
    urls: NextFound | None = None
    effect: Effect | None = None

    @classmethod
    def of(cls, found: Found) -> "FoundFrame":
        if isinstance(found, Effect):
            return cls(effect=found)
        return cls(hosts=found) if isinstance(found, HostsFound) else cls(urls=found)

    @property
    def found(self) -> Found | None:
        return self.hosts or self.urls or self.effect


encode_asked = msgspec.msgpack.Encoder().encode
decode_asked = msgspec.msgpack.Decoder(AskedFrame).decode
decode_found = msgspec.msgpack.Decoder(FoundFrame).decode
