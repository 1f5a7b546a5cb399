"""Names that wait to be asked for, each domain in its own line."""

from collections import deque
from typing import Generic, TypeVar

Name = TypeVar("Name")


class LookupTurns(Generic[Name]):
    """The domains take turns, and none has more than `limit` names under way.

    So a domain that makes up names without end, or whose servers are silent, only ever fills its
    own line. Filled by `put`, emptied by `take`; each name taken is given back by `release`.

    >>> turns = LookupTurns(limit=1)
    >>> for domain, name in [("a", "a1"), ("a", "a2"), ("b", "b1")]:
    ...     turns.put(domain, name)
    >>> turns.take(), turns.take(), turns.take()
    ('a1', 'b1', None)
    >>> turns.release("a")
    >>> turns.take()
    'a2'
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lines: dict[str, deque[Name]] = {}
        """Names waiting, by domain; no line is empty."""
        self._busy: dict[str, int] = {}
        """Names under way, by domain; no count is zero."""
        self._next: deque[str] = deque()
        """Domains with a line and room for one more, each once, in the order of their turns."""
        self._waiting = 0

    def put(self, domain: str, name: Name) -> None:
        self._waiting += 1
        line = self._lines.get(domain)
        if line is not None:
            line.append(name)
            return
        self._lines[domain] = deque((name,))
        if self._busy.get(domain, 0) < self._limit:
            self._next.append(domain)

    def take(self) -> Name | None:
        """The next name whose domain may have one more under way."""
        if not self._next:
            return None
        domain = self._next.popleft()
        line = self._lines[domain]
        name = line.popleft()
        self._waiting -= 1
        busy = self._busy[domain] = self._busy.get(domain, 0) + 1
        if not line:
            del self._lines[domain]
        elif busy < self._limit:
            self._next.append(domain)
        return name

    def release(self, domain: str) -> None:
        """A name of this domain is no longer under way."""
        busy = self._busy[domain]
        if busy == self._limit and domain in self._lines:
            self._next.append(domain)
        if busy == 1:
            del self._busy[domain]
        else:
            self._busy[domain] = busy - 1

    @property
    def has_next(self) -> bool:
        return bool(self._next)

    def __len__(self) -> int:
        return self._waiting
