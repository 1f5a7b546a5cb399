"""Directives of a page for robots: `meta name=robots` and `X-Robots-Tag`.

Rules for all and rules for us by name add up, and of two that contradict each other the stricter
one counts. Unknown rules are passed over.
"""

import re
from collections.abc import Iterable

from msgspec import Struct

_AGENT = re.compile(r"[a-z_-]+(?:/[^:]*)?")
_RULES_WITH_VALUES = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)
_NO_INDEX = frozenset({"noindex", "none"})
_NO_FOLLOW = frozenset({"nofollow", "none"})


class Directives(Struct, frozen=True, gc=False):
    """The permissions of a page."""

    is_indexable: bool = True
    is_followable: bool = True


EVERYTHING = Directives()


def read_directives(product: str, metas: Iterable[str], headers: Iterable[str]) -> Directives:
    """Judge the contents of the page's `meta` elements and its `X-Robots-Tag` fields.

    >>> read_directives("Gossamer", ["noindex"], ["otherbot: nofollow", "gossamer: nofollow"])
    Directives(is_indexable=False, is_followable=False)
    >>> read_directives("Gossamer", ["index, follow"], ["otherbot: none"])
    Directives(is_indexable=True, is_followable=True)
    """
    rules: set[str] = set()
    for content in metas:
        rules.update(rule.strip() for rule in content.lower().split(","))
    for field in headers:
        rules.update(_rules_for(product.lower(), field))
    if not rules:
        return EVERYTHING
    return Directives(rules.isdisjoint(_NO_INDEX), rules.isdisjoint(_NO_FOLLOW))


def _rules_for(product: str, field: str) -> Iterable[str]:
    """The rules of one `X-Robots-Tag`; a name before a colon addresses all that follow it."""
    is_for_us = True
    for part in field.lower().split(","):
        name, colon, rule = part.strip().partition(":")
        name = name.rstrip()
        if not colon or name in _RULES_WITH_VALUES or not _AGENT.fullmatch(name):
            rule = name  # no address; the commas and colons of a date end up here too
        else:
            is_for_us = name.partition("/")[0] in (product, "robots", "all")
        if is_for_us:
            yield rule.strip()
