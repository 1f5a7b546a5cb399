"""A memory of bounded size: what was not used for longest is forgotten first."""

from collections import OrderedDict
from collections.abc import KeysView
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """A dictionary that holds the most recently used entries.

    >>> recent: Recent[str, int] = Recent(2)
    >>> for name in "abac":
    ...     recent[name] = 1
    >>> sorted(recent.names())
    ['a', 'c']
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: OrderedDict[Key, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Key) -> Value | None:
        """The value under a key; counts as a use."""
        value = self._entries.get(key)
        if value is not None:
            self._entries.move_to_end(key)
        return value

    def pop(self, key: Key) -> Value | None:
        """Forget a key; returns what was known under it."""
        return self._entries.pop(key, None)

    def __contains__(self, key: Key) -> bool:
        return key in self._entries

    def __setitem__(self, key: Key, value: Value) -> None:
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > self._most:
            self._entries.popitem(last=False)

    def names(self) -> list[Key]:
        return list(self._entries)

    def keys(self) -> KeysView[Key]:
        """A view, to look into without a use."""
        return self._entries.keys()

    def values(self) -> list[Value]:
        return list(self._entries.values())
