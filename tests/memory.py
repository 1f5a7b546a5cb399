"""Little memory, for a while."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LARGE = 48 << 20
"""Bytes that the C library always asks the system for, and does not take from what it has."""


@contextmanager
def little_memory(more: int = 16 << 20) -> Iterator[None]:
    """What this process has, and so many bytes more: whoever asks for `LARGE` gets a MemoryError."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + more, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
