"""A ring at the seam of its world: a clock that is turned by hand, and servers that are a dictionary."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from gossamer.core.clock import VirtualClock
from gossamer.core.disk.disk_cache import DiskCache
from gossamer.core.outcomes import Outcome
from gossamer.core.poller import Poller
from gossamer.core.records import Headers, Judged, Page, Visit
from gossamer.core.settings import DnsSettings, FetchSettings
from gossamer.engine.assignment import Assignment, make_plugins, name_changes
from gossamer.engine.job import BuildComponents, Job
from gossamer.engine.ring import Ring
from gossamer.engine.run_control import RunControl
from gossamer.lab.simulator.virtual_poller import VirtualPoller
from gossamer.pipeline.dns import NameAnswer
from gossamer.pipeline.dns.dns_answer import FOREVER

Said = tuple[int, dict[str, str], str]
"""A status, header fields and a body."""

ADDRESS = "192.0.2.1"
NOT_FOUND: Said = (404, {}, "")
NO_ROBOTS: Said = (404, {"Content-Type": "text/plain"}, "")


def html(*links: str, text: str = "") -> Said:
    """A page with links."""
    body = "".join(f"<a href='{link}'>{link}</a> " for link in links)
    return 200, {"Content-Type": "text/html"}, f"<title>t</title>{text}{body}"


def text(body: str) -> Said:
    return 200, {"Content-Type": "text/plain"}, body


class ScriptedFetcher:
    """Fulfils `Fetching`: each exchange takes a second, and says what the script has."""

    routing = None

    def __init__(self, script: dict[str, Said | Outcome], clock: VirtualClock) -> None:
        self.script = script
        self.asked: list[tuple[float, str]] = []
        """Every request: when, and for what."""
        self.most_at_once = 8
        self._clock = clock
        self._under_way: list[tuple[float, Visit]] = []

    @property
    def in_flight(self) -> int:
        return len(self._under_way)

    def free_slots(self) -> int:
        return self.most_at_once - self.in_flight

    def refuses(self, host: str, address: str) -> str:
        return "it is private" if host.startswith("private") else ""

    def start(
        self, visit: Visit, address: str, fields: tuple[str, ...] = (), most: int | None = None
    ) -> None:
        now = self._clock.now()
        self.asked.append((now, visit.url.text))
        self._under_way.append((now, visit))

    def finished(self) -> list[Page]:
        now = self._clock.now()
        done = [one for one in self._under_way if now >= one[0] + 1.0]
        self._under_way = [one for one in self._under_way if one not in done]
        return [self._answer(visit, began) for began, visit in done]

    def _answer(self, visit: Visit, began: float) -> Page:
        default = NO_ROBOTS if visit.url.text.endswith("/robots.txt") else NOT_FOUND
        said = self.script.get(visit.url.text, default)
        if isinstance(said, Outcome):
            return Page(visit, said, began, 1.0, address=ADDRESS, detail="as it was written")
        status, fields, body = said
        octets = body.encode()
        headers = Headers(list(fields.items()))
        return Page(
            *(visit, Outcome.FETCHED, began, 1.0, status, headers),
            head=f"HTTP/1.1 {status} x\r\n\r\n".encode(),
            payload=octets,
            body=octets,
            address=ADDRESS,
        )

    def hosts_in_flight(self) -> dict[str, float]:
        return {visit.url.host: began for began, visit in self._under_way}

    def next_timeout(self) -> float | None:
        return None

    def tick(self) -> None:
        """Nothing is due."""

    def close(self) -> None:
        self._under_way = []


class ScriptedNames:
    """Fulfils `Resolving`: every name is known at once, but for those called missing."""

    has_news = False

    def __init__(self, clock: VirtualClock) -> None:
        self.seconds = 0.0
        """For how long each lookup takes."""
        self._clock = clock

    def lookup(self, host: str) -> NameAnswer | None:
        self._clock.advance(self.seconds)
        if host.startswith("missing"):
            return NameAnswer((), FOREVER, Outcome.DNS_NOT_FOUND, "no such name")
        return NameAnswer((ADDRESS,), FOREVER)

    def start(self, host: str) -> None:
        raise AssertionError("every name is known")

    def finished(self) -> list[str]:
        return []

    def next_timeout(self) -> float | None:
        return None

    def tick(self) -> None:
        """Nothing is due."""

    def move_in(self, disk_cache: DiskCache) -> None:
        disk_cache.close()

    def close(self) -> None:
        """Nothing is open."""


class ScriptedWorld:
    """Fulfils `World`."""

    def __init__(self, script: dict[str, Said | Outcome]) -> None:
        self.clock = VirtualClock(1_000_000.0)
        self.chance = Random(1)
        self.longest_wait = 3600.0
        self.server = ScriptedFetcher(script, self.clock)
        self.names = ScriptedNames(self.clock)

    def poller(self) -> Poller:
        return VirtualPoller(self.clock)

    def fetcher(self, settings: FetchSettings, agent: str, poller: Poller) -> ScriptedFetcher:
        return self.server

    def resolver(self, fetch: FetchSettings, dns: DnsSettings, poller: Poller) -> ScriptedNames:
        return self.names

    def door(self, state: Path, poller: Poller) -> None:
        """Nobody comes."""


class Bench:
    """A job on its own, turned by hand."""

    def __init__(
        self, out: Path, world: ScriptedWorld, *seeds: str, is_new: bool = True, **knobs: Any
    ) -> None:
        scope = knobs.pop("scope", "all")
        changes = name_changes(scope, None, {"installed": False, "soft_errors": False, **knobs})
        plugins = make_plugins(None, None, None)
        if is_new:
            assignment = Assignment.begin(seeds, out, world, plugins, None, changes, "error")
        else:
            assignment = Assignment.go_on(out, world, plugins, name_changes(None, None, knobs))
        self.world = world
        self.switch = RunControl()
        self.assignment = assignment
        self.job = Job(
            *(assignment.settings, assignment.seeds, world, assignment.directory), self.switch
        )

    def open(
        self, build_components: BuildComponents = lambda components, record: components
    ) -> Ring:
        builder = self.assignment.prepare()
        self.assignment.claim()
        self.job.open(builder, build_components)
        return self.job.ring

    def begin(self) -> Ring:
        ring = self.open()
        self.job.begin()
        return ring

    def turn(self, times: int = 1, seconds: float = 1.0, room: int = 8) -> list[Judged]:
        """Turns of the ring, with so many seconds after each."""
        kept: list[Judged] = []
        for _ in range(times):
            kept += self.job.ring.turn(room, 0.0)
            self.world.clock.advance(seconds)
        return kept

    def turn_until(self, is_so: Callable[[], bool], most: int = 200) -> list[Judged]:
        kept: list[Judged] = []
        for _ in range(most):
            kept += self.turn()
            if is_so():
                return kept
        raise AssertionError("it never came to that")

    def die(self) -> None:
        """Let go of everything as a killed process does: nothing more is recorded."""
        self.job.close()
