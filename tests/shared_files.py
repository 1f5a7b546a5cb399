"""A test that writes into a directory that it shares with other tests is an error.

What a fixture of a module or a session puts below pytest's folder of temporary files is shared: the next test
would depend on what this one left there. After each test the names, sizes, times and modes of all files below
are compared with those from before. (Permissions would not do: root may write everywhere; and an audit hook
sees no process that a test starts.) A test that must write makes a copy, `tests/copying.py`.

Locks may be taken: who only reads a crawl does so, and nothing is different for the next one.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISDIR
from typing import Any, NamedTuple

import pytest

Snapshot = dict[str, tuple[int, ...]]
"""Paths with the inode and mode of each, and of files the size and the time of change."""


class _Shared(NamedTuple):
    fixture: str
    snapshot: Snapshot


class SharedFiles:
    """Plugin of pytest that remembers which directories are shared and what is in them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._shared: dict[object, dict[Path, _Shared]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        """Whatever appears while such a fixture is made is shared from then on."""
        if fixturedef.scope == "function":
            return (yield)
        before = set(self._folders())
        result = yield
        made = set(self._folders()) - before
        self.changes()  # such a fixture may add to what another one began
        self._shared[fixturedef] = {
            folder: _Shared(fixturedef.argname, snapshot(folder)) for folder in sorted(made)
        }
        return result

    def pytest_fixture_post_finalizer(self, fixturedef: pytest.FixtureDef[Any]) -> None:
        self._shared.pop(fixturedef, None)

    def changes(self) -> list[str]:
        """What was written since the last time, a line for each file."""
        lines = []
        for folders in self._shared.values():
            for folder, shared in folders.items():
                now = snapshot(folder)
                lines += [
                    f"{path} (fixture {shared.fixture})" for path in _changed(shared.snapshot, now)
                ]
                folders[folder] = shared._replace(snapshot=now)
        return lines

    def _folders(self) -> list[Path]:
        """Of tests and fixtures; pytest has links to the latest ones, too."""
        factory = self._config._tmp_path_factory  # type: ignore[attr-defined]  # made after this plugin
        return [path for path in factory.getbasetemp().iterdir() if not path.is_symlink()]


def snapshot(folder: Path) -> Snapshot:
    """All that is in a folder, and the folder."""
    found = {str(folder): _state(os.lstat(folder))} if folder.exists() else {}
    waiting = [str(folder)] if found else []
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if not _is_lock(entry.name):
                    found[entry.path] = _state(entry.stat(follow_symlinks=False))
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
    return found


def _is_lock(name: str) -> bool:
    return name == "lock" or name.endswith(".lock")


def _state(status: os.stat_result) -> tuple[int, ...]:
    """A folder changes by what is in it, which is listed itself."""
    always = status.st_ino, status.st_mode
    return always if S_ISDIR(status.st_mode) else (*always, status.st_size, status.st_mtime_ns)


def _changed(before: Snapshot, now: Snapshot) -> list[str]:
    """Paths that came, went or changed."""
    return sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))
