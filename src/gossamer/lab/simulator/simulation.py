"""One simulation from its seed: the crawl's lives, what goes wrong in them, and the verdict."""

import errno
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct, convert

from gossamer.cluster.supervised import PartitionError
from gossamer.core import settings_file
from gossamer.core.clock import VirtualClock
from gossamer.core.directory import Directory
from gossamer.core.disk import disk_files
from gossamer.core.errors import GossamerError
from gossamer.core.settings import Settings
from gossamer.engine.control.command_handler import open_for_stopped
from gossamer.engine.control.command_patterns import CommandError
from gossamer.engine.summary import Summary
from gossamer.lab.behaviours import Behaviour, Robots
from gossamer.lab.server.request_log import LoggedRequest
from gossamer.lab.simulator.leftovers import simulation_folder
from gossamer.lab.simulator.lying_web import LyingWeb
from gossamer.lab.simulator.politeness_check import Foul
from gossamer.lab.simulator.referee import Referee
from gossamer.lab.simulator.scenario import Scenario
from gossamer.lab.simulator.simulated_disk import SimulatedDisk
from gossamer.lab.simulator.simulated_network import KINDS, Network, Trouble
from gossamer.lab.simulator.simulated_world import SimulatedCrawl, SimulatedWorld
from gossamer.lab.simulator.user_script import Script
from gossamer.lab.simulator.virtual_actors import Stage

_START = 1_800_000_000.0
_LONGEST = 30 * 86_400.0
"""Seconds after which a crawl that has not ended never will."""
_DAY = 86_400.0
_MOST_STEPS = 2_000_000
_MOST_INCARNATIONS = 100
_LOOK_EVERY = 50
"""Steps between two looks at what is held in memory."""
_CRAWL_DELAY = 3.0
"""Seconds that some robots.txt files ask for: more than everybody gets."""

ReportLine = Callable[[str], None]

_SETTINGS: dict[str, dict[str, Any]] = {
    "scope": {"kind": "all"},
    "politeness": {
        "factor": 0.0,
        "retries": 12,
        "hold_after": 50,
        "patience": 90_000,
    },
    "robots": {"give_up": 6, "failure_wait": 4.0, "cached_origins": 4},
    "fetch": {"timeout": 60.0, "allow_private": True},
    "dns": {"families": ["ipv4"], "cache_size": 4},
    "store": {"rows": 50, "warc_size": 100_000, "checkpoint_every": 20.0},
    "budget": {"kind": "off"},
    "detect": {"soft_errors": False, "dust": False},
}
"""The truth knows what pages name, so nothing is switched on that asks for URLs which the crawl makes up:
names that cannot exist (soft errors), and other spellings to try a rule out (DUST)."""


_GRAVEYARD: list[Stage] = []
"""Keeps those who died until the process ends: a generator that nobody refers to any more would be closed,
and so would do what a killed process does not. Who plays ends its process by `os._exit`."""


class Story(Struct, frozen=True):
    """The result of a simulation."""

    seed: int
    scenario: str
    foul: str
    """What was wrong; empty when nothing was."""
    incarnations: int
    deaths: int
    pages: int
    requests: int
    again: int
    seconds: float
    """Virtual seconds from the first start to the end."""
    steps: int
    operations: int
    """What was asked of the disk."""
    print: str
    """The fingerprint of all that was decided: every request with its time."""


class Play:
    """A crawl of a simulated web, of several lives."""

    def __init__(
        self,
        seed: int,
        scenario: Scenario,
        out: Path,
        tell: ReportLine = lambda line: None,
        changes: Mapping[str, Any] | None = None,
    ) -> None:
        """`changes` are settings by their names (`section.name`)."""
        self._scenario = scenario
        self._out = out
        self._report = tell
        self._chance = Random(f"play {seed}")
        self._clock = VirtualClock(_START)
        self.disk = SimulatedDisk(self._clock, Random(f"disk {seed}"))
        self.disk.slowness = scenario.slowness
        chance = Random(f"stage {seed}")
        self.stage = Stage(
            *(self._clock, self.disk, chance, scenario.mishaps, scenario.pace), moves=scenario.moves
        )
        behaviours: list[str | Behaviour] = [Robots(crawl_delay=_CRAWL_DELAY)]
        behaviours += scenario.behaviours
        self.web = LyingWeb(seed, scenario.pages, scenario.hosts, behaviours)
        self.settings = settings_file.change(_settle(scenario), changes or {})
        self.referee = Referee(self.web, self.settings)
        self.network = Network(
            self.web, self._clock, scenario.addresses, self._draw_troubles(), self._see
        )
        self._script = self._draw_script(seed)
        self._world_chance = Random(f"world {seed}")
        self._skew = self._skew_before = 0.0
        """Seconds by which the clock on the wall is fast, now and when the crawl was last started."""
        self._limit = scenario.limit
        self._reads = scenario.failed_reads
        self._faults = self._draw_faults()
        self._next = 0
        """Operations of the disk after which the next thing goes wrong; 0 when nothing will."""
        self.incarnations = self._deaths = 0
        self.summary: Summary | None = None
        self._print = sha256()

    @property
    def seconds(self) -> float:
        return self._clock.now() - _START

    @property
    def print(self) -> str:
        return self._print.hexdigest()

    def run(self) -> None:
        """Until the crawl has finished, whatever happens on the way."""
        self._arm()
        self._arm_read()
        if self._limit:
            summary = self._run()
            self.referee.check_limit(self._out, summary, self._limit)
            self._limit, self.summary = 0, None
            self._rest()
        summary = self._run()
        self.disk.kill_after = self.disk.fail_read_after = 0  # nobody kills the referee
        if self._script is not None and not self._script.is_over:
            self._log_remaining_script(self._script)
            self.summary = None
            summary = self._run()
            self.disk.kill_after = 0
        if self._scenario.days:
            self.referee.check_rounds(self._out, summary)
        else:
            self.referee.check_end(self._out, summary)

    def _draw_script(self, seed: int) -> Script | None:
        """Draw the commands that users will send. Seeds among them would be found anyway. What it is told
        to begin at, it would find anyway."""
        if not self._scenario.orders:
            return None
        seeds, chance = sorted(self.web.reachable().usable), Random(f"script {seed}")
        hosts = sorted({urlsplit(url).hostname or "" for url in seeds})
        return Script(self._scenario.orders, hosts, seeds, chance, self._clock)

    def _log_remaining_script(self, script: Script) -> None:
        """The crawl has ended before: it goes on with what it is told now."""
        with Directory(self._out) as directory:
            command_handler = open_for_stopped(directory, self._clock)
            while not script.is_over:
                order = script.send()
                with suppress(CommandError):  # it was taken, and the answer was not given
                    command_handler.take(order, "the play")
                script.answered()
            command_handler.close()

    def _run(self) -> Summary:
        while self.summary is None:
            if self.incarnations > _MOST_INCARNATIONS:
                raise Foul("it does not end")
            self._live()
        return self.summary

    def _live(self) -> None:
        """One life of the crawl, from its start to its end or its death."""
        self.incarnations += 1
        crawl = None
        try:
            crawl = self._crawl = self._make()
            leader = self.stage.enter(crawl.turns)
            if self.stage.play(leader, self._look):
                self.summary = crawl.summary()
        except (OSError, PartitionError) as error:
            if not self._is_to_be_expected(error):
                raise Foul(f"it gave up: {error}") from error
            self._report(f"{self.seconds:.1f} s: the crawl gives up: {error}")
            self.stage.deaths.append("the crawl")
        self._note_deaths()
        self._arm_read()
        if crawl is not None:
            crawl._assignment.directory.close()
        self.stage.clear()
        _GRAVEYARD.append(self.stage)
        self._rest()

    def _is_to_be_expected(self, error: Exception) -> bool:
        """May this run give up? Only with a full disk, failed reads, or kills again and again."""
        if isinstance(error, PartitionError):
            return "crashed again and again" in str(error) and self._scenario.kills > 0
        number = getattr(error, "errno", 0)
        is_full = number == errno.ENOSPC and self.disk.was_full
        return is_full or (number == errno.EIO and self.disk.has_failed)

    def _make(self) -> SimulatedCrawl:
        if self._skew > self._skew_before:
            self.referee.manners.note_jump()
        self._skew_before = self._skew
        world = SimulatedWorld(self.stage, self.network, self._world_chance, self._wall)
        world.script = self._script
        if (self._out / "crawl.toml").exists():
            crawl = SimulatedCrawl.resume(self._out, world=world, max_pages=self._limit)
        else:
            crawl = SimulatedCrawl(
                self.web.seed_url,
                out=self._out,
                settings=self.settings,
                world=world,
                max_pages=self._limit,
            )
        return crawl

    def _wall(self) -> float:
        return self._clock.now() + self._skew

    def _rest(self) -> None:
        """Between two lives some time goes by."""
        self._clock.advance(self._chance.choice([0.0, 0.0, 0.3, 5.0, 1000.0]))
        self.disk.full_until, self.disk.was_full, self.disk.has_failed = 0.0, False, False

    # What goes wrong.

    def _draw_faults(self) -> list[str]:
        scenario = self._scenario
        faults = [
            *["kill"] * scenario.kills,
            *["cut"] * scenario.power_cuts,
            *["full"] * scenario.full_disks,
            *["jump"] * scenario.clock_jumps,
            *["freeze"] * (scenario.freezes if scenario.partitions > 1 else 0),
        ]
        self._chance.shuffle(faults)
        return faults

    def _draw_troubles(self) -> list[Trouble]:
        troubles = []
        for _ in range(self._scenario.troubles):
            begin = _START + self._chance.uniform(0, 80)
            end = begin + self._chance.uniform(1, 40)  # no robots.txt is given up meanwhile
            host = self._chance.choice(self.web.names)
            kind = self._chance.choice(list(KINDS))
            troubles.append(Trouble(host, begin, end, kind))
        return troubles

    def _arm(self) -> None:
        """Choose the moment of the next fault: after this many operations of the disk."""
        if not self._faults:
            self._next = self.disk.kill_after = 0
            return
        is_soon = self._chance.random() < 0.25  # while a crawl begins, or goes on
        distance = self._chance.randrange(1, 20 if is_soon else 250)
        if self._faults[-1] in ("kill", "cut"):
            self.disk.kill_after = distance
        else:
            self._next = self.disk.operations + distance

    def _arm_read(self) -> None:
        """Choose the read that fails next, if there is any to come."""
        if self._reads and not self.disk.fail_read_after:
            self._reads -= 1
            self.disk.fail_read_after = self._chance.choice([1, 2, 5, 10, 30, 100])

    def _look(self) -> None:
        """After each step: is it time for something to go wrong, or has it?"""
        if self.stage.steps > _MOST_STEPS or self.seconds > _LONGEST:
            raise Foul("it does not end")
        self._note_deaths()
        if self.stage.steps % _LOOK_EVERY == 0:
            for components, settings in self._crawl.components():
                self.referee.check_memory(components, settings)
        if self._faults and self._faults[-1] in ("kill", "cut"):
            if not self.disk.kill_after:
                self._finish_off(self._faults.pop())
        elif self._next and self.disk.operations >= self._next:
            self._hurt(self._faults.pop())

    def _note_deaths(self) -> None:
        for who in self.stage.deaths[self._deaths :]:
            self.referee.note_crash()
            self._report(f"{self.seconds:.1f} s: {who} has died")
        self._deaths = len(self.stage.deaths)

    def _finish_off(self, fault: str) -> None:
        """A process was killed; with the power, all are."""
        if fault == "cut":
            self.stage.kill_all()
            self.disk.cut_power()
            self._report(f"{self.seconds:.1f} s: the power is cut")
        self._arm()

    def _hurt(self, fault: str) -> None:
        if fault == "full":
            self.disk.full_until = self._clock.now() + self._chance.uniform(0.1, 30)
            self._report(f"{self.seconds:.1f} s: the disk is full")
        elif fault == "jump":
            far = self._chance.choice(
                [self._chance.uniform(1, 8) * 3600, -self._chance.uniform(60, 900)]
            )
            self._skew += far
            self._report(f"{self.seconds:.1f} s: the clock is set by {far:+.0f} s")
        elif followers := self.stage.followers():
            victim = self._chance.choice(followers)
            self.stage.freeze(victim, self._chance.uniform(1, 1200))
            self._report(f"{self.seconds:.1f} s: {victim.name} is stopped for a while")
        self._arm()

    def _see(self, request: LoggedRequest) -> None:
        self._print.update(repr(tuple(request)).encode())
        self.referee.see(request)
        if self._script is not None:
            self._script.see(request)


def _settle(scenario: Scenario) -> Settings:
    crawl = {"partitions": scenario.partitions, "hung_after": 100.0}
    changes = {"delay": scenario.delay, "per_address": scenario.per_address}
    politeness = {**_SETTINGS["politeness"], **changes}
    store = {**_SETTINGS["store"], "max_stored_pages": scenario.stored}
    sections = {"crawl": crawl, "politeness": politeness, "store": store}
    if scenario.days:
        crawl["max_seconds"] = scenario.rounds * scenario.days * _DAY
        days = {"shortest": scenario.days, "longest": scenario.days}
        sections["revisit"] = {"continuous": True, "policy": "uniform", **days}
    return convert({**_SETTINGS, **sections}, Settings)


def simulate(
    seed: int,
    name: str,
    scenario: Scenario,
    tell: ReportLine = lambda line: None,
    out: Path | None = None,
) -> Story:
    """Play a seed. What breaks a promise is in the story, with the line that says which."""
    with simulation_folder() as folder:
        play = Play(seed, scenario, out or folder / "crawl", tell)
        foul = ""
        before, disk_files.system = disk_files.system, play.disk
        try:
            play.run()
        except Foul as error:
            foul = str(error)
        except (GossamerError, OSError) as error:
            foul = f"{type(error).__name__}: {error}"
        finally:
            disk_files.system = before
    return Story(
        seed,
        name,
        foul,
        play.incarnations,
        len(play.stage.deaths),
        play.summary.pages if play.summary is not None else 0,
        play.referee.requests,
        play.referee.again,
        play.seconds,
        play.stage.steps,
        play.disk.operations,
        play.print,
    )
