"""What kind of application it is: everything in which real ones differ, drawn from a seed."""

import string
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

STYLES = ("front", "back", "query", "script")
"""`/edit/tea`, `/tea/edit`, `/index.php?title=tea&action=edit`, `/app.cgi?a=edit;p=tea`."""
TOOLS = (
    *("edit", "history", "old", "diff", "print", "raw", "feed", "oembed", "backlinks", "reply"),
    *("share", "login", "info"),
)
VIEWS = ("show", "list", "tag", "recent", "calendar", "comments", *TOOLS)
OPTIONS = (
    "page",
    "sort",
    "by",
    "rev",
    "to",
    "key",
    "reply",
    "month",
    "back",
    "part",
    "subject",
    "view",
)
_WORDS = {
    "show": ("view", "read", "page", "article"),
    "list": ("category", "browse", "section", "topics"),
    "edit": ("edit", "change", "write", "modify"),
    "history": ("history", "revisions", "changes", "log"),
    "old": ("version", "rev", "oldid", "snapshot"),
    "diff": ("diff", "compare", "delta", "cmp"),
    "print": ("print", "printable", "plain", "paper"),
    "raw": ("raw", "source", "export", "text"),
}
"""Words that programs use; other views and options are called by their own name."""


@dataclass(frozen=True)
class Traits:
    """How an application spells its URLs, what it offers, and what it tells crawlers."""

    style: str
    separator: str
    words: Mapping[str, str]
    """What each view and option is called in a URL; meaningless letters in some applications."""
    has_numbers: bool
    """Entries are numbered, not named."""
    tools: frozenset[str]
    are_tools_first: bool
    says_noindex: bool
    says_nofollow: bool
    says_canonical: bool
    has_fresh_keys: bool
    """Links to share have another key on each page, so that there is no end of them."""
    needs_login: bool
    """To edit, one is sent to a page where one can log in."""
    is_missing_soft: bool
    """What nobody wrote is answered with status 200 and an invitation to write it."""
    sorts: tuple[str, ...]
    per_page: int
    months: int
    """Months of the calendar before and after those with entries; 0: no calendar; -1: no end."""
    has_tables: bool
    """Some entries are tables of numbers."""
    hidden: float
    """The part of entries that no list names; the entry before links to each."""
    forbids: frozenset[str]
    """Tools that robots.txt forbids, where that can be said."""


def draw_traits(seed: int) -> Traits:
    """The traits of one application.

    >>> draw_traits(3) == draw_traits(3)
    True
    """
    random = Random(f"traits {seed}")
    style = random.choice(STYLES)
    tools = frozenset(tool for tool in TOOLS if random.random() < 0.7)
    return Traits(
        style=style,
        separator=random.choice("&;") if style == "script" else random.choice("&&&;"),
        words=_draw_words(random),
        has_numbers=random.random() < 0.4,
        tools=tools,
        are_tools_first=random.random() < 0.5,
        says_noindex=random.random() < 0.4,
        says_nofollow=random.random() < 0.25,
        says_canonical=random.random() < 0.4,
        has_fresh_keys=random.random() < 0.3,
        needs_login=random.random() < 0.5,
        is_missing_soft=random.random() < 0.5,
        sorts=tuple(random.sample(("name", "date", "size", "author"), random.randrange(4))),
        per_page=random.choice((10, 20, 40)),
        months=random.choice((0, 0, 12, 60, -1)),
        has_tables=random.random() < 0.5,
        hidden=random.choice((0.0, 0.2, 0.5)),
        forbids=frozenset(tool for tool in sorted(tools) if random.random() < 0.1),
    )


def _draw_words(random: Random) -> dict[str, str]:
    names = (*VIEWS, *OPTIONS)
    if random.random() < 0.25:
        codes = [a + b for a in string.ascii_lowercase for b in string.digits]
        return dict(zip(names, random.sample(codes, len(names)), strict=True))
    words = {name: random.choice(_WORDS.get(name, (name,))) for name in names}
    words["subject"] = random.choice(("title", "id", "p", "f"))
    words["view"] = random.choice(("action", "do", "a", "cmd"))
    return words
