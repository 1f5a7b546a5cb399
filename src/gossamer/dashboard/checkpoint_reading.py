"""Read the state of hosts from the last checkpoint."""

from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from gossamer.analyzers.redundancy import dust, traps
from gossamer.analyzers.redundancy import mirror_detection as mirrors
from gossamer.analyzers.redundancy import script_errors as scripts
from gossamer.analyzers.redundancy import soft_error_detection as soft_errors
from gossamer.analyzers.redundancy.redundancy_filter import (
    RedundancyFilter,
    RedundancyState,
    read_state,
)
from gossamer.core.directory import Directory
from gossamer.core.errors import DirectoryError
from gossamer.dashboard.file_stamp import stamps
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.engine.ledger import Checkpoint, Ledger
from gossamer.pipeline.robots import Gate, KnownRobots

_robots = msgspec.msgpack.Decoder(list[KnownRobots]).decode


_LARGE = 2_000_000
"""Bytes."""
_PATIENCE, _PATIENCE_FOR_LARGE = 60.0, 0.3
"""Seconds that a list of hosts waits for a checkpoint."""


class RobotsOfOrigin(Struct, frozen=True, gc=False):
    """The last result for the robots.txt of an origin."""

    origin: str
    said: str
    """In words."""
    learned: float
    """When, in seconds since 1970 …"""
    expires: float
    """… and until when it counts."""
    rules: int
    crawl_delay: float | None


class HostFindings(Struct, frozen=True):
    """Findings about the URLs of a host, one per line."""

    traps: list[str] = []
    """Patterns without an end."""
    rules: list[str] = []
    """Spellings of the same page (DUST)."""
    mirrors: list[str] = []
    soft_errors: list[str] = []

    def __len__(self) -> int:
        return len(self.traps) + len(self.rules) + len(self.mirrors) + len(self.soft_errors)


NOTHING_FOUND = HostFindings()


class AtCheckpoint(Struct, frozen=True):
    """All partitions together."""

    made: float
    """When the last of them was made, in seconds since 1970; 0 when there is none."""
    watches: list[RedundancyState]
    findings: dict[str, HostFindings]
    """By host."""
    robots: dict[str, list[RobotsOfOrigin]]
    """By host."""


def checkpoint_files(crawl: ShownCrawl) -> list[Path]:
    """The checkpoint of each partition."""
    return sorted((crawl.path / "state").glob("[0-9]*/checkpoint"))


def checkpoint_of(crawl: ShownCrawl) -> AtCheckpoint:
    """The last checkpoint of a crawl that is shown; read again when there is another one."""
    files = checkpoint_files(crawl)
    return crawl.keep("checkpoint", stamps(files), lambda: _read(crawl.path))


def checkpoint_soon(crawl: ShownCrawl) -> AtCheckpoint | None:
    """The same, but a large one is not waited for: None, while it is read."""
    files = checkpoint_files(crawl)
    mark = stamps(files)
    size = sum(about[2] for _, about in mark if about is not None)
    seconds = _PATIENCE if size < _LARGE else _PATIENCE_FOR_LARGE
    return crawl.keep_soon(seconds, "checkpoint", mark, lambda: _read(crawl.path))


def _read(path: Path) -> AtCheckpoint:
    directory = Directory(path)
    found: list[Checkpoint] = []
    for number in range(directory.partitions):
        try:
            found.append(Ledger.read_checkpoint(Directory(path, number).state))
        except DirectoryError:  # of an earlier version, or damaged: what it knew is not shown
            found.append(Checkpoint())
    watches = [
        read_state(checkpoint.components.get(RedundancyFilter.name, b"")) for checkpoint in found
    ]
    findings: dict[str, HostFindings] = {}
    for watch in watches:
        _gather(watch, findings)
    robots: dict[str, list[RobotsOfOrigin]] = {}
    for checkpoint in found:
        for known in _robots(checkpoint.components.get(Gate.name) or b"\x90"):
            robots.setdefault(_host(known.origin), []).append(_robots_of(known))
    return AtCheckpoint(
        max((checkpoint.progress.time for checkpoint in found), default=0.0),
        watches,
        findings,
        robots,
    )


def _gather(watch: RedundancyState, findings: dict[str, HostFindings]) -> None:
    def at(url: str) -> HostFindings:
        return findings.setdefault(_host(url), HostFindings([], [], [], []))

    for pattern in watch.endless:
        at(pattern.name).traps.append(traps.describe(pattern))
    for rule in watch.rules:
        at(rule.name.origin).rules.append(dust.describe(rule))
    for mirror in watch.mirrors:
        for side in {mirror.copy, mirror.main}:
            at(side).mirrors.append(mirrors.describe(mirror))
    for state in watch.soft_errors:
        if state.masked or state.target:
            at(state.origin).soft_errors.append(soft_errors.describe(state))
    for script in watch.scripts:
        if not script.is_honest:
            at(script.script).soft_errors.append(scripts.describe(script))


def _host(url: str) -> str:
    """
    >>> _host("http://a.test"), _host("http://A.test:81/b"), _host("http://[::1]:8/"), _host("//[")
    ('a.test', 'a.test', '::1', '')
    """
    name = url.partition("://")[2]
    if name.isascii() and name.replace(".", "").replace("-", "").isalnum():
        return name.lower()  # most origins are no more than a name, and there may be a million
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _robots_of(known: KnownRobots) -> RobotsOfOrigin:
    return RobotsOfOrigin(
        known.origin,
        _say(known),
        known.learned,
        known.expires,
        len(known.rules),
        known.crawl_delay,
    )


def _say(known: KnownRobots) -> str:
    if not known.is_reachable:
        return f"cannot be fetched: {known.trouble or known.status}, {known.failures} times"
    if not known.is_copy:
        return f"none ({known.status})" if known.status else "none"
    if not known.rules:
        return "allows all"
    count = f"{len(known.rules)} rule{'s' * (len(known.rules) != 1)}"
    return count if known.agent in ("", "*") else f"{count} for {known.agent}"
