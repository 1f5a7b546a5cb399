"""Files that only grow, written again without what counts no more.

In a crawl that visits pages again, each change leaves entries behind that nobody asks for. When there are
twice as many of them as of others, a checkpoint has all files written again: the next *generation*, in a
folder of its own. So a change costs the same however long the crawl lasts, and files have about three
times the size that they need at most.

The record says which generation counts, beside its lengths. The files of the one before stay until the
checkpoint that names the new one is published: whatever happens before leads back to them.
"""

from pathlib import Path

from gossamer.core.disk.disk_files import delete, sync_folder

_TIMES = 2
"""So many times as many entries that count no more, as there are others, are too many."""
_FEW = 64
"""Fewer than this are never too many."""


def is_due(alive: int, dead: int) -> bool:
    """Are there so many entries that count no more that all files are to be written again?"""
    return dead > _TIMES * alive + _FEW


def generation_folder_of(folder: Path, generation: int) -> Path:
    """The folder with the files of a generation. The first one has no separate folder."""
    return folder / f"packed-{generation}" if generation else folder


def make_generation_folder(folder: Path, generation: int) -> Path:
    """An empty folder for a new generation, whatever a crash has left there."""
    generation_folder = generation_folder_of(folder, generation)
    delete(generation_folder)
    generation_folder.mkdir()
    sync_folder(folder)
    return generation_folder


def clear_others(folder: Path, generation: int) -> None:
    """Delete all files of other generations."""
    own = generation_folder_of(folder, generation)
    for path in sorted(folder.glob("packed-*")):
        if path != own:
            delete(path)
    if generation:
        for path in sorted(folder.iterdir()):
            if path.is_file():
                delete(path)
