"""Names in folders: they come and go, and last only when their folder is synced."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

Undo = Callable[[], None]


class Folders:
    """For each folder, how to undo what happened to its names since it was last synced."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._undo: dict[Path, list[Undo]] = {}

    def note_rename(self, source: Path, target: Path) -> None:
        """A file is about to appear under its name, maybe in the place of another."""
        assert source.parent == target.parent, "nothing moves from folder to folder"
        before = target.read_bytes() if target.exists() else None

        def undo() -> None:
            if target.exists():
                os.replace(target, source)
            if before is not None and target.parent.is_dir():  # whole folders are not brought back
                target.write_bytes(before)

        self._note(target.parent, undo)

    def note_delete(self, path: Path) -> None:
        """A file is about to go. Whole folders are not brought back: nobody looks for them again."""
        if path.is_file():
            before = path.read_bytes()
            self._note(path.parent, lambda: _bring_back(path, before))

    def _note(self, folder: Path, undo: Undo) -> None:
        self._undo.setdefault(folder, []).append(undo)

    def sync(self, folder: Path) -> None:
        """The names in a folder are durable."""
        self._undo.pop(folder, None)

    def delete_some(self, path: Path) -> None:
        """Delete a file, or not, or of a folder whatever comes first: the process is killed at it."""
        if self._chance.random() < 0.5:
            return
        if path.is_dir():
            inside = sorted(path.iterdir())
            for one in inside[: self._chance.randrange(len(inside) + 1)]:
                shutil.rmtree(one) if one.is_dir() else one.unlink()
        else:
            path.unlink(missing_ok=True)

    def cut_power(self) -> None:
        """Undo, in each folder, the last of what was not synced: none, some or all."""
        for steps in self._undo.values():
            for undo in reversed(steps[self._chance.randrange(len(steps) + 1) :]):
                undo()

    def forget_all(self) -> None:
        self._undo.clear()


def _bring_back(path: Path, data: bytes) -> None:
    if path.parent.is_dir() and not path.exists():
        path.write_bytes(data)
