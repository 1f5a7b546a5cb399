"""Files of texts that a run has written and not published.

Worker processes write into a folder that has a token of their run in its name. Only the run itself, which
holds the lock, gives files their names in `text/`. So a worker that outlives its run adds nothing to the next
one: its folder is gone.
"""

from pathlib import Path
from secrets import token_hex

from gossamer.core.disk.disk_files import delete, rename, sync_folder

_PREFIX = ".run-"


class Drafts:
    """The folder of one run."""

    def __init__(self, folder: Path) -> None:
        """Call it with the lock held: what earlier runs have left in `folder` is deleted."""
        self._folder = folder
        for left in folder.glob(f"{_PREFIX}*"):
            delete(left)
        self._path = folder / f"{_PREFIX}{token_hex(8)}"
        self._path.mkdir()

    def place(self, name: str) -> Path:
        """The path to write a file to that is to have this name."""
        return self._path / name

    def publish(self, draft: Path) -> None:
        """Give a complete file its name."""
        rename(draft, self._folder / draft.name)
        sync_folder(self._folder)

    def close(self) -> None:
        delete(self._path)
