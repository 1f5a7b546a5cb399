"""How much of mapped files is in memory, and when it must go."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

_STATM = Path("/proc/self/statm")
_PAGE = 4096
_EVERY = 256
"""Calls between two looks; each call touches some dozens of pages."""


class _Releasing(Protocol):
    def release(self) -> None: ...


class Residence:
    """Keeps what mapped files take up in memory within a number of bytes.

    The kernel alone knows how much that is: it maps neighbours of what was asked for. It says so for
    the process as a whole, libraries included; so what counts is the growth since the last release.
    """

    def __init__(self, tenants: Sequence[_Releasing], memory: int) -> None:
        self._tenants, self._memory = tenants, memory
        self._calls, self.releases = 0, -1
        self.release()

    def count(self) -> None:
        """Something was looked up."""
        self._calls += 1
        if self._calls % _EVERY == 0 and _mapped_bytes() - self._base > self._memory:
            self.release()

    def release(self) -> None:
        """Let go of all memory now."""
        for tenant in self._tenants:
            tenant.release()
        self._base = _mapped_bytes()
        self.releases += 1


def _mapped_bytes() -> int:
    """Bytes of files that this process has in its memory."""
    return int(_STATM.read_bytes().split()[2]) * _PAGE
