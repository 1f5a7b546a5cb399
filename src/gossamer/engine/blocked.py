"""URLs that an order blocks: set aside until the block ends.

Extra visits are kept in memory, for the inbox has them recorded, and says how many there may be.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path

from gossamer.core.records import Candidate, Visit
from gossamer.core.url import Url
from gossamer.engine.control.command_patterns import Patterns
from gossamer.engine.set_aside import LOOKED_AT, SetAside
from gossamer.pipeline.seen import pack, unpack


class Blocked(SetAside):
    """The blocked hosts and patterns, and the URLs that wait until they are unblocked.

    >>> from tempfile import TemporaryDirectory
    >>> from gossamer.core.url import parse
    >>> with TemporaryDirectory() as folder:
    ...     blocked = Blocked(Path(folder))
    ...     blocked.block({"a.test": 1})
    ...     turned_away = blocked.turns_away(Visit(parse("http://a.test/"), level=3))
    ...     blocked.block({})
    ...     turned_away, [(one.url.text, level) for one, level in blocked.freed()]
    (True, [('http://a.test/', 3)])
    """

    name = "blocked"

    def __init__(self, folder: Path, state: bytes = b"") -> None:
        super().__init__(folder, state)
        self._patterns: Patterns[int] = Patterns()
        self._blocked: Mapping[str, int] = {}
        self._extra: deque[bytes] = deque()
        """Extra visits, packed …"""
        self._unswept_extra = 0
        """… and how many of them are to be looked through."""

    def __len__(self) -> int:
        return super().__len__() + len(self._extra)

    @property
    def extra(self) -> int:
        """Extra visits that are kept."""
        return len(self._extra)

    @property
    def is_sweeping(self) -> bool:
        """Is there something left to look through?"""
        return super().is_sweeping or self._unswept_extra > 0

    def block(self, blocked: Mapping[str, int]) -> None:
        """From now on this is blocked, and nothing else."""
        if blocked != self._blocked:
            has_ended = not self._blocked.keys() <= blocked.keys()
            self._blocked, self._patterns = blocked, Patterns(blocked)
            if has_ended:
                self.sweep()
                self._unswept_extra = len(self._extra)

    def is_blocked(self, url: Url) -> bool:
        return bool(self._patterns) and self._patterns.find(url) is not None

    def is_host_blocked(self, host: str) -> bool:
        return bool(self._patterns) and self._patterns.find_host(host) is not None

    def turns_away(self, visit: Visit) -> bool:
        """Is a leased visit not to be made? Then it is kept here."""
        if not self.is_blocked(visit.url):
            return False
        if visit.is_extra:
            self._extra.append(pack(visit.again))
        else:
            self.keep(visit)
        return True

    def keep_extra(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        """Keep extra visits that are blocked before they wait anywhere; returns the others."""
        free = list[Candidate]()
        for candidate in candidates:
            if self.is_blocked(candidate.url):
                self._extra.append(pack(candidate))
            else:
                free.append(candidate)
        return free

    def freed(self) -> list[tuple[Candidate, int]]:
        """URLs that may go, each with the level that it had; an extra visit has one below 0."""
        found = [(one, -1) for one in self._freed_extra()]
        return found + list(self.let_go(lambda candidate: self.is_blocked(candidate.url)))

    def _freed_extra(self) -> list[Candidate]:
        count = min(LOOKED_AT, self._unswept_extra)
        self._unswept_extra -= count
        return self.keep_extra([unpack(self._extra.popleft()) for _ in range(count)])
