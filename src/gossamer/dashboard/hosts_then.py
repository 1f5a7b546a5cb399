"""Hosts of a crawl that does not run: as of its last checkpoint, and by the commands and settings
recorded."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.core.directory import Directory
from gossamer.core.errors import DamageError, GossamerError
from gossamer.core.settings import Settings
from gossamer.core.url import owner_of, parse
from gossamer.dashboard.cached_frontier import read_all_hosts
from gossamer.dashboard.checkpoint_reading import AtCheckpoint, checkpoint_of
from gossamer.dashboard.file_stamp import stamp
from gossamer.dashboard.host_now import HostNow, say_budget
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.host_table import CountedHosts
from gossamer.engine.control.active_commands import ActiveCommands
from gossamer.engine.control.command_checks import catch_up
from gossamer.engine.control.command_journal import RecordedCommands
from gossamer.engine.control.command_patterns import Patterns
from gossamer.engine.host_delays import HostDelays, choose_delay_between, read_failures
from gossamer.engine.ledger import Checkpoint, Ledger
from gossamer.pipeline.frontier import HostDelay
from gossamer.pipeline.frontier.checkpointed_hosts import CheckpointedHosts
from gossamer.policy.budget import Admission, read_delays

ValueName = Literal["waiting", "ready", "rest", "delay", "budget"]


class _Partition(Struct, frozen=True):
    """The hosts of one partition, from its checkpoint."""

    made: float
    hosts: CheckpointedHosts
    failures: dict[str, int]
    budgeted: Callable[[str], float]


class HostsThen:
    """Says of any host what the crawl knew of it."""

    def __init__(
        self,
        settings: Settings,
        active_commands: ActiveCommands,
        known: AtCheckpoint,
        partitions: list[_Partition],
        damaged: tuple[str, ...] = (),
    ) -> None:
        self.damaged = damaged
        """What could not be read for it."""
        self._politeness = settings.politeness
        self._active_commands = active_commands
        self._known = known
        self._partitions = partitions
        self._blocked = Patterns(active_commands.blocked)
        self._levels = Patterns({what: at for what, (at, _) in active_commands.priorities.items()})

    def look(self, name: str) -> HostNow:
        part = self._partition_of(name)
        waits, robots = part.hosts.find(name), self._known.robots.get(name, [])
        budgeted, delay = self._delays_of(name)
        url = parse(f"http://{name}/")
        return HostNow(
            name,
            waits.waiting if waits else 0,
            part.hosts.is_estimate,
            max(0.0, waits.ready - part.made) if waits else 0.0,
            delay.seconds,
            str(delay.rule),
            robots[-1].said if robots else "",
            say_budget(budgeted),
            failures=part.failures.get(name, 0),
            is_blocked=self._blocked.find_host(name) is not None,
            priority=self._levels.find(url) if url is not None else None,
        )

    def column(self, name: ValueName, table: CountedHosts) -> NDArray[np.float64]:
        """A value for each host of a table, by its number."""
        if name not in ("delay", "budget"):
            return self._from_frontier(name, table)
        values = np.zeros(table.size)
        for number, host in enumerate(table.names.to_pylist()):
            budgeted, delay = self._delays_of(host)
            values[number] = budgeted if name == "budget" else delay.seconds
        return values

    def _from_frontier(self, name: ValueName, table: CountedHosts) -> NDArray[np.float64]:
        values = np.zeros(table.size)
        for part in self._partitions:
            for host in part.hosts:
                if (number := table.find(host.name)) >= 0:
                    rest = host.ready if name == "ready" else max(0.0, host.ready - part.made)
                    values[number] = host.waiting if name == "waiting" else rest
        return values

    def _delays_of(self, host: str) -> tuple[float, HostDelay]:
        """The delay for the budget of its domain, and the delay that follows from all rules."""
        robots = self._known.robots.get(host, ())
        ordered, _ = self._active_commands.delays.get(host, (None, 0))
        is_budgeted = self._politeness.delay and ordered is None
        budgeted = self._partition_of(host).budgeted(host) if is_budgeted else 0.0
        crawl_delay = max((origin.crawl_delay or 0.0 for origin in robots), default=0.0)
        return budgeted, choose_delay_between(self._politeness, ordered, crawl_delay, budgeted)

    def _partition_of(self, host: str) -> _Partition:
        return self._partitions[owner_of(host, len(self._partitions))]


def mark_of(crawl: ShownCrawl) -> list[object]:
    """Another one after a checkpoint, a command or another setting."""
    directory = Directory(crawl.path)
    states = [Directory(crawl.path, number).state for number in range(directory.partitions)]
    orders = sorted(directory.control.glob("journal-*.log"))
    files = [*(state / "checkpoint" for state in states), *orders, crawl.path / "crawl.toml"]
    return [stamp(file) for file in files]


def hosts_then(crawl: ShownCrawl) -> HostsThen:
    """Read once, and again after a checkpoint, a command or another setting."""
    return crawl.keep("hosts_then", mark_of(crawl), lambda: _read(crawl))


def _read(crawl: ShownCrawl) -> HostsThen:
    directory, active_commands, settings = Directory(crawl.path), ActiveCommands(), crawl.settings
    damaged = list[str]()
    try:
        committed = RecordedCommands(directory.control)
        active_commands, settings = committed.active_commands, catch_up(settings, committed)
    except (GossamerError, OSError) as error:  # damaged: what is in crawl.toml counts
        damaged.append(str(error))
    checkpoints = [_checkpoint(crawl, number) for number in range(directory.partitions)]
    try:
        hosts = read_all_hosts(crawl)
    except DamageError as error:
        hosts, damaged = [], [*damaged, str(error)]
    except (GossamerError, OSError):  # of an earlier version
        hosts = []
    parts = [
        _partition(settings, checkpoint, hosts[number] if hosts else CheckpointedHosts())
        for number, checkpoint in enumerate(checkpoints or [Checkpoint()])
    ]
    return HostsThen(settings, active_commands, checkpoint_of(crawl), parts, tuple(damaged))


def _checkpoint(crawl: ShownCrawl, number: int) -> Checkpoint:
    try:
        return Ledger.read_checkpoint(Directory(crawl.path, number).state)
    except GossamerError:
        return Checkpoint()


def _partition(settings: Settings, checkpoint: Checkpoint, hosts: CheckpointedHosts) -> _Partition:
    try:
        budgeted = read_delays(settings.budget, checkpoint.components.get(Admission.name, b""))
    except GossamerError:  # the function for budgets is of a package that is not here

        def budgeted(host: str) -> float:
            return 0.0

    return _Partition(
        checkpoint.progress.time,
        hosts,
        read_failures(checkpoint.components.get(HostDelays.name, b"")),
        budgeted,
    )
