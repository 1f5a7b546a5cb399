"""The roots of mirrors: whole hosts, and folders of hosts."""

_DEEPEST = 6
"""Folders of a root, at most."""


def common_roots(one: str, other: str) -> tuple[str, str] | None:
    """The roots of two pages that have the last parts of their paths in common; None if they have not.

    >>> common_roots("http://a.test/x/y", "http://b.test/x/y")
    ('http://a.test', 'http://b.test')
    >>> common_roots("http://a.test/x/y", "http://b.test/mirror/a/x/y")
    ('http://a.test', 'http://b.test/mirror/a')
    >>> common_roots("http://a.test/", "http://b.test/"), common_roots("http://a.test/1", "http://a.test/2")
    (None, None)
    """
    least = min(len(one) - len(origin_of(one)), len(other) - len(origin_of(other)))
    end = 0
    while end < least and one[-1 - end] == other[-1 - end]:
        end += 1
    tail = one[len(one) - end :]
    if end < least or not tail.startswith("/"):
        tail = tail[tail.index("/") :] if "/" in tail.partition("?")[0] else ""
    roots = one[: len(one) - len(tail)], other[: len(other) - len(tail)]
    is_fit = len(tail) > 1 and roots[0] != roots[1] and "?" not in roots[0] + roots[1]
    return roots if is_fit and max(map(depth_of, roots)) <= _DEEPEST else None


def origin_of(text: str) -> str:
    """The origin of a URL or root."""
    end = text.find("/", text.index("://") + 3)
    return text if end < 0 else text[:end]


def depth_of(root: str) -> int:
    """The number of folders of a root; 0 for a whole host."""
    return root.count("/", root.index("://") + 3)
