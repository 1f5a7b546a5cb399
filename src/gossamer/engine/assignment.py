"""The assignment of a crawl: its settings, its seeds, its directory, and the plugins of a program.

All that can be wrong with it is found out here, before anything in a directory is changed.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Self

from gossamer.core import settings_file
from gossamer.core.crawl_identity import SETTINGS
from gossamer.core.directory import Directory
from gossamer.core.errors import DamageError, DirectoryError, SettingsError
from gossamer.core.log_events import LogEvent, log_aloud
from gossamer.core.poller import Poller
from gossamer.core.records import Document, Page
from gossamer.core.secret_settings import SECRETS, give_secrets, has_users, without_user
from gossamer.core.settings import Settings
from gossamer.core.url import Spelling, Url
from gossamer.engine.builder import Builder, Plugins, check_order
from gossamer.engine.control.active_commands import ActiveCommands
from gossamer.engine.control.command_checks import catch_up
from gossamer.engine.control.command_handler import CommandHandler
from gossamer.engine.control.command_journal import RecordedCommands
from gossamer.engine.control.fixed_settings import check_unchanged
from gossamer.engine.earlier_crawls import find_earlier
from gossamer.engine.ledger import Ledger
from gossamer.engine.remote_storage import CrawlReplica
from gossamer.engine.seeds import Seed, check_sessions, gather_seeds, read_seeds
from gossamer.engine.world import World
from gossamer.pipeline.parse import Isolated
from gossamer.pipeline.scope import ScopeRule
from gossamer.policy.order import Order, Policy, is_policy

Brought = Mapping[str, Callable[[Page], Document] | Isolated]
"""Parsers by media type."""

_log = logging.getLogger("gossamer")
_WAYS = ("error", "resume", "replace")


class Assignment:
    """A crawl that is new, or goes on in its directory."""

    def __init__(
        self,
        directory: Directory,
        world: World,
        plugins: Plugins,
        settings: Settings,
        before: Settings | None,
        *,
        replaces: bool = False,
    ) -> None:
        """`before` are the settings of a crawl that goes on; None for a new one."""
        self.directory = directory
        self.world = world
        self.plugins = plugins
        self.is_new = before is None
        self._replaces = replaces
        self._uses_settings_file = False
        """Do the settings come from `crawl.toml`, but for the changes given?"""
        self.place = str(directory.path)
        """Where people find it: its directory, or its remote storage when no machine has all of it."""
        self.active_commands = ActiveCommands()
        """What people ordered and still counts, as soon as the crawl runs."""
        self.storage: CrawlReplica | None = None
        """The second place of its record, if it has one."""
        changes = {"crawl.brought": plugins.names, "crawl.seeds": _leave_out_users(settings)}
        self.settings = settings_file.change(settings, changes)
        check_order(self.settings.order.name)
        self.seeds = _read_seeds(self.settings)
        if before is not None:
            _check_brought(before, plugins, directory)
            _check_partitions(before, directory)
            check_unchanged(before, self.settings)

    @classmethod
    def begin(
        cls,
        seeds: tuple[Seed | Iterable[Seed], ...],
        out: Path,
        world: World,
        plugins: Plugins,
        settings: Settings | None,
        changes: Mapping[str, Any],
        exists: str,
    ) -> Self:
        """A new crawl, or what `exists` says when there is one."""
        if exists not in _WAYS:
            raise SettingsError(f"exists={exists!r} has no meaning; write error, resume or replace")
        changes = _complete(give_secrets(changes), seeds, plugins)
        directory = Directory(out)
        if exists == "resume" and directory.holds_crawl:
            return cls._take_up(directory, world, plugins, settings, changes)
        wanted = settings_file.change(settings or Settings(), changes)
        return cls(directory, world, plugins, wanted, None, replaces=exists == "replace")

    @classmethod
    def go_on(cls, out: Path, world: World, plugins: Plugins, changes: Mapping[str, Any]) -> Self:
        """The crawl in a directory, with its own settings and any changes."""
        return cls._take_up(Directory(out), world, plugins, None, give_secrets(changes))

    @classmethod
    def _take_up(
        cls,
        directory: Directory,
        world: World,
        plugins: Plugins,
        settings: Settings | None,
        changes: Mapping[str, Any],
    ) -> Self:
        before = directory.open()
        try:
            _check_secrets(directory, changes)
            before = catch_up(before, RecordedCommands(directory.control))
            wanted = settings or _place_known(before, directory.path)
            crawl = cls(directory, world, plugins, settings_file.change(wanted, changes), before)
            crawl._uses_settings_file = settings is None
            return crawl
        except BaseException:
            directory.close()
            raise

    @property
    def partitions(self) -> int:
        return self.settings.crawl.partitions or 1

    def prepare(self) -> Builder:
        """Check the settings; if one is wrong, a resumed crawl releases its directory."""
        try:
            return Builder(self.settings, self.seeds, self.plugins, self.world)
        except BaseException:
            self.directory.close()
            raise

    def claim(self) -> None:
        """Make the directory, or take it again."""
        if self.is_new:
            if self._replaces:
                self.directory.clear()
            crawl = self.world.chance.randbytes(8).hex()
            self.directory.create(self.settings, Ledger.begin, crawl)
            self._claim_storage()
            return
        if not self.directory.is_taken:
            self.directory.open()
        try:
            self._report_edit()
            self.directory.write_settings(self.settings)
            self._claim_storage()
        except BaseException:
            self.directory.close()
            raise

    def _report_edit(self) -> None:
        """Warn once of a `crawl.toml` that was edited: nobody may know of it, or a disk did it."""
        if self._uses_settings_file and self.directory.is_changed_by_hand:
            log_aloud(
                LogEvent.SAID,
                "%s was changed since the last run; this run uses it as it is now",
                self.directory.path / SETTINGS,
            )

    def open_command_handler(self, poller: Poller) -> CommandHandler:
        """Open the command handler of a running crawl."""
        state, clock = self.directory.path / "state", self.world.clock
        door = self.world.door(state, poller)
        command_handler = CommandHandler(
            self.directory,
            self.settings,
            clock,
            door,
            send_to_storage=self._send_commands_to_storage,
        )
        self.active_commands = command_handler.active_commands
        if command_handler.active_commands.is_paused:
            _log.warning(
                "%s is paused by a command; continue it with `gossamer control %s go-on`",
                *(self.place, self.place),
            )
        return command_handler

    def _send_commands_to_storage(self) -> None:
        if self.storage is not None:
            self.storage.store_commands(self.directory)

    def follow(self, command_handler: CommandHandler) -> None:
        """Apply commands to partitions that are started from now on."""
        self.active_commands, before = command_handler.active_commands, self.settings
        self.settings = command_handler.settings
        if self.settings.crawl.seeds != before.crawl.seeds:
            self.seeds = _read_seeds(self.settings)

    def _claim_storage(self) -> None:
        if self.storage is None:
            return
        try:
            self.storage.claim(self.directory, is_new=self.is_new)
        except BaseException:
            if self.is_new:
                self.directory.remove()
            raise

    def abandon(self) -> None:
        """It never began: leave nothing of a new crawl behind."""
        if self.is_new:
            self.directory.remove()
        self.directory.close()

    @property
    def has_record(self) -> bool:
        """Is anything recorded? A partition records its start before it sends any request."""
        states = (Directory(self.directory.path, one).state for one in range(self.partitions))
        return any(map(Ledger.has_commits, states))

    def note_run(self) -> None:
        """It has run: the next run continues it, if its directory holds a crawl by now."""
        self.is_new = self.is_new and not self.directory.holds_crawl

    def check_can_run_again(self) -> None:
        """Refuse a second run with a policy that has learned in the first."""
        order = self.plugins.order
        if order is not None and is_policy(order):
            raise DirectoryError(
                "a policy that has learned cannot be used for a second run; continue with a new one: "
                f'gossamer.Crawl.resume("{self.directory.path}", order=…)'
            )


def _read_seeds(settings: Settings) -> list[Url]:
    spelling = Spelling(settings.url.rules)
    seeds = read_seeds(settings.crawl.seeds, spelling, settings.fetch.schemes)
    check_sessions(seeds, settings.fetch)
    return seeds


def _leave_out_users(settings: Settings) -> list[str]:
    """The seeds without user and password, which no URL here has."""
    seeds = settings.crawl.seeds
    if has_users(seeds):
        _log.warning(
            "user and password of a seed are left out; to log in, set fetch.logins for its host"
        )
    return [without_user(seed) for seed in seeds]


def _check_secrets(directory: Directory, changes: Mapping[str, Any]) -> None:
    """A copy from remote storage has no secret settings: they have to be given once more."""
    given = {"fetch.secrets", "fetch.logins", "fetch.cookies", "fetch.proxy"} & changes.keys()
    if directory.lacks_secrets and not given:
        raise DirectoryError(
            f"{directory.path / SECRETS} is not on this machine: logins and cookies are never sent "
            "to remote storage; give the file with --set fetch.secrets=FILE, or continue without "
            "it: --set fetch.secrets="
        )


def make_plugins(
    scope: str | ScopeRule | None, parsers: Brought | None, order: str | Policy | Order | None
) -> Plugins:
    """Build the plugins that a program passes as more than a name."""
    return Plugins(
        scope if callable(scope) else None,
        parsers or {},
        None if isinstance(order, str) else order,
    )


def name_changes(
    scope: str | ScopeRule | None, order: str | Policy | Order | None, knobs: Mapping[str, Any]
) -> dict[str, Any]:
    """Settings by their full names, as a program gives them."""
    changes = {settings_file.find(name): value for name, value in knobs.items()}
    if isinstance(scope, str):
        changes["scope.kind"] = scope
    if isinstance(order, str):
        changes["order.name"] = order
    if "politeness.delay" in changes:  # a delay that was given is meant for all domains
        changes.setdefault("budget.delays", False)
    return changes


def _complete(
    changes: Mapping[str, Any], seeds: tuple[Seed | Iterable[Seed], ...], plugins: Plugins
) -> dict[str, Any]:
    """The changes, and what follows from them and from what a program brings along."""
    complete = dict(changes)
    if seeds:
        complete["crawl.seeds"] = gather_seeds(seeds)
    if plugins.rule is not None:  # the function alone decides, so this is no broad crawl
        complete["scope.kind"] = "all"
        complete.setdefault("budget.kind", "off")
    return complete


def _place_known(settings: Settings, out: Path) -> Settings:
    """The settings, in which the earlier crawl is where it is now."""
    known = settings.crawl.known
    return settings_file.change(settings, {"crawl.known": known and str(find_earlier(out, known))})


def _check_brought(settings: Settings, plugins: Plugins, directory: Directory) -> None:
    """A crawl that was started with functions of a program must not go on without them."""
    missing = [name for name in settings.crawl.brought if name not in plugins.names]
    if missing:
        given = ", ".join(f"{name}=…" for name in missing)
        raise DirectoryError(
            f"{directory.path} was started by a program with its own {' and '.join(missing)}; resume it "
            f'from that program: gossamer.Crawl.resume("{directory.path}", {given})'
        )


def _check_partitions(before: Settings, directory: Directory) -> None:
    """No folder of a partition may be missing."""
    there = before.crawl.partitions or 1
    if directory.partitions != there:
        said = f"has folders of {directory.partitions} partitions, but the crawl has {there}"
        raise DamageError(directory.path / "state", said)
