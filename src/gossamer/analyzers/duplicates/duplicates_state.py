"""The checkpoint of this component: everything needed to find its files again."""

import msgspec
from msgspec import Struct


class NearState(Struct, frozen=True, array_like=True):
    """Lengths of the files that near-duplicates are found by."""

    recipe: str = ""
    """How the sketches were made; made differently, they cannot be compared."""
    sketches: int = 0
    streaks: int = 0


class ContentState(Struct, frozen=True, array_like=True):
    """Lengths of all files at a commit."""

    originals: int = 0
    urls: int = 0
    near: NearState = NearState()
    shared: tuple[int, int] = (0, 0)
    """Lengths of the files of what other partitions met first."""
    generation: int = 0
    """How often the files were written again (`file_compaction.py`) …"""
    shared_generation: int = 0
    """… and those of what other partitions met first."""
    prints: int = 0
    """Length of the file of prints that this partition owns, whose pages are in any (`print_table.py`)."""

    def encode(self) -> bytes:
        return msgspec.msgpack.encode(self)


def read_content_state(data: bytes) -> ContentState:
    """Decode the noted state; empty for a new crawl."""
    return msgspec.msgpack.decode(data, type=ContentState) if data else ContentState()


class ContentStatistics(Struct, frozen=True):
    known: int
    """Different contents met."""
    duplicates: int
    """Pages whose body was met at another URL, since the component was opened …"""
    same_text: int
    """… pages with the text of another one, in other markup …"""
    near: int
    """… and pages that are nearly like another one."""
    sketches: int
    """Pages that others are compared with: the first of each group, and all that are like no other."""
    compared: int
    """Comparisons of two sketches since the component was opened."""
    memory: int
    """Bytes that the lookups have in memory."""
    disk_bytes: int
