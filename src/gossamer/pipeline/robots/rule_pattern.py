"""A rule's path with wildcards: `*` is any run of characters, `$` at the end is the end."""

from collections.abc import Sequence


class RulePattern:
    """Literal parts that follow each other at any distance; the first begins the path.

    Each part between two stars is taken where it first occurs: if any place fits, the leftmost
    leaves the most room for the rest. So no choice is ever taken back, each part costs one
    search that starts where the last ended, and a match costs at most path × pattern steps.
    """

    __slots__ = ("_head", "_middle", "_tail")

    def __init__(self, parts: Sequence[str], is_anchored: bool) -> None:
        assert len(parts) > 1, "without a star it is no Pattern but a prefix or a whole path"
        self._head = parts[0]
        self._tail = parts[-1] if is_anchored else ""
        middle = parts[1:-1] if is_anchored else parts[1:]
        self._middle = tuple(part for part in middle if part)

    def is_match(self, path: str) -> bool:
        """Does the path begin as this pattern says (and end so, if it is anchored)?

        >>> RulePattern(["/", ".php"], is_anchored=True).is_match("/index.php")
        True
        >>> RulePattern(["/", ".php"], is_anchored=True).is_match("/index.php?a=1")
        False
        """
        if not path.startswith(self._head):
            return False
        end = len(self._head)
        for part in self._middle:
            start = path.find(part, end)
            if start < 0:
                return False
            end = start + len(part)
        return path.endswith(self._tail) and len(path) - len(self._tail) >= end
