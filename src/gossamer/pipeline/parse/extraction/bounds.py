"""Bounds for the metadata of a page: more than any honest page has."""

from math import isfinite
from typing import Any

MAX_DEPTH = 32
MAX_NODES = 20_000
"""Values in all objects of one kind on a page."""
MAX_TEXT = 64 << 10
"""Characters of one value."""


class Budget:
    """Values that may still be taken."""

    def __init__(self, nodes: int = MAX_NODES) -> None:
        self._left = nodes

    def take(self) -> bool:
        self._left -= 1
        return self._left >= 0


def prune(value: Any, budget: Budget, depth: int = MAX_DEPTH) -> Any:
    """The same JSON value with what is too deep, too long or too much left out.

    >>> prune({"a": [1, [2, [3]]]}, Budget(), depth=3)
    {'a': [1, [None, None]]}
    """
    if not budget.take() or depth <= 0:
        return None
    if isinstance(value, dict):
        return {
            clip(key, 1024): prune(one, budget, depth - 1)
            for key, one in value.items()
            if budget.take()
        }
    if isinstance(value, list):
        return [prune(one, budget, depth - 1) for one in value if budget.take()]
    if isinstance(value, float) and not isfinite(value):
        return None  # JSON has no word for it
    return clip(value) if isinstance(value, str) else value


def clip(text: str, limit: int = MAX_TEXT) -> str:
    """At most this many characters, all of which can be written as UTF-8."""
    text = text[:limit]
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
