"""The roll: hosts that are parked or rest, saved at a checkpoint by what has changed since the last.

There can be millions of them, and between two checkpoints few change. So a checkpoint writes those
alone, to a file of their own; when the files since the last whole one hold as many hosts as there are, all
of them are written again. So the cost for each change is bounded, however many hosts there are.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from gossamer.core.disk.disk_files import delete
from gossamer.pipeline.frontier import blocks
from gossamer.pipeline.frontier.delayed_hosts import DelayedHosts
from gossamer.pipeline.frontier.frontier_hosts import HostTable

_MOST_FILES = 64
_GONE = b""
_OVER = -1.0

_Value = TypeVar("_Value")


class HostIndexState(Struct, frozen=True, array_like=True):
    """The files of a checkpoint, the whole one first."""

    files: list[int] = []
    entries: int = 0
    """Hosts in the files that are not whole."""


class HostIndexPart(Struct, array_like=True):
    """A stretch of a file."""

    parked: dict[str, bytes] = {}
    delayed: dict[str, float] = {}


class HostIndex:
    """Saves the parked hosts of a table, and the delayed ones."""

    def __init__(
        self, folder: Path, hosts: HostTable, delayed: DelayedHosts, state: HostIndexState
    ) -> None:
        self._folder = folder
        self._hosts = hosts
        self._delayed = delayed
        self._state = state
        self._delete_others()

    def restore(self) -> None:
        parked: dict[str, bytes] = {}
        delayed: dict[str, float] = {}
        for number in self._state.files:
            for part in blocks.read(self._path(number), HostIndexPart):
                _apply(parked, part.parked, _GONE)
                _apply(delayed, part.delayed, _OVER)
        self._hosts.restore([], parked)
        self._delayed.times.update(delayed)

    def checkpoint(self, generation: int) -> HostIndexState:
        """Save what has changed since the last checkpoint, or everything."""
        hosts, delayed, before = self._hosts, self._delayed, self._state
        entries = before.entries + len(hosts.changed) + len(delayed.changed)
        is_whole = not before.files or len(before.files) >= _MOST_FILES
        if is_whole or entries > len(hosts.parked) + len(delayed):
            parts = _parts(hosts.parked, hosts.parked, _GONE, delayed.times, delayed.times)
            fresh = HostIndexState([generation])
        else:
            parts = _parts(hosts.changed, hosts.parked, _GONE, delayed.changed, delayed.times)
            fresh = HostIndexState([*before.files, generation], entries)
        blocks.write(self._path(generation), parts)
        hosts.changed, delayed.changed = set(), set()
        self._state = fresh
        return fresh

    def checkpoint_published(self) -> None:
        """The last checkpoint is the one to go back to."""
        self._delete_others()

    def _path(self, number: int) -> Path:
        return self._folder / f"roll-{number:06}.bin"

    def _delete_others(self) -> None:
        kept = {self._path(number) for number in self._state.files}
        for path in self._folder.glob("roll-*.bin"):
            if path not in kept:
                delete(path)


def _apply(known: dict[str, _Value], changes: Mapping[str, _Value], gone: _Value) -> None:
    for name, value in changes.items():
        if value == gone:
            known.pop(name, None)
        else:
            known[name] = value


def _parts(
    parked_names: Iterable[str],
    parked: Mapping[str, bytes],
    gone: bytes,
    delayed_names: Iterable[str],
    delayed: Mapping[str, float],
) -> Iterator[HostIndexPart]:
    for names in blocks.in_parts(parked_names):
        yield HostIndexPart(parked={name: parked.get(name, gone) for name in names})
    for names in blocks.in_parts(delayed_names):
        yield HostIndexPart(delayed={name: delayed.get(name, _OVER) for name in names})
