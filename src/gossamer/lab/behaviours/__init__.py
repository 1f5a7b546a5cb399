"""Ways in which a web is less than perfect, each switched on by its name.

A behaviour is one small class (see `Behaviour`). To add one: write the class, list it in `KNOWN`.
`Web(behaviours=(…))` takes names, or instances where a number should differ from the default:
`Web(behaviours=("redirects", Slow(longest=2.0)))`.
"""

from collections.abc import Iterable

from gossamer.core.errors import SettingsError
from gossamer.lab.behaviours.alias_behaviour import Aliases
from gossamer.lab.behaviours.behaviour import Behaviour, Leaf, LeafBehaviour
from gossamer.lab.behaviours.breakage_behaviour import BadChunks, CutShort, Reset, WrongLength
from gossamer.lab.behaviours.charset_behaviour import Charsets
from gossamer.lab.behaviours.duplicate_behaviour import Duplicates
from gossamer.lab.behaviours.error_behaviour import Errors
from gossamer.lab.behaviours.manners_behaviour import MetaRobots, Nofollow, Unresolvable
from gossamer.lab.behaviours.mirror_behaviour import Mirrors
from gossamer.lab.behaviours.redirect_behaviour import Redirects
from gossamer.lab.behaviours.robots_behaviour import Robots
from gossamer.lab.behaviours.slow_behaviour import Slow, Stalls
from gossamer.lab.behaviours.soft_error_behaviour import SoftErrors
from gossamer.lab.behaviours.spam_behaviour import Spam
from gossamer.lab.behaviours.trap_behaviour import Calendar, Facets, Repeats, Sessions
from gossamer.lab.behaviours.wrapping import Chunked, Gzip

__all__ = [
    "ALL_FINITE",
    "CORRECT",
    "GROUPS",
    "HOSTILE",
    "INFINITE",
    "KNOWN",
    "REDUNDANT",
    "Aliases",
    "BadChunks",
    "Behaviour",
    "Calendar",
    "Charsets",
    "Chunked",
    "CutShort",
    "Duplicates",
    "Errors",
    "Facets",
    "Gzip",
    "Leaf",
    "LeafBehaviour",
    "MetaRobots",
    "Mirrors",
    "Nofollow",
    "Redirects",
    "Repeats",
    "Reset",
    "Robots",
    "Sessions",
    "Slow",
    "SoftErrors",
    "Spam",
    "Stalls",
    "Unresolvable",
    "WrongLength",
    "behaviours_named",
    "groups_of",
]

KNOWN: dict[str, type[Behaviour]] = {
    kind.name: kind
    for kind in (
        *(Robots, Redirects, Errors, Nofollow, MetaRobots, Duplicates, Unresolvable),
        *(Gzip, Chunked, Charsets, Slow, Reset, CutShort, BadChunks, WrongLength, Stalls),
        *(Calendar, Sessions, Spam, Repeats, Facets, SoftErrors, Aliases, Mirrors),
    )
}

INFINITE = tuple(name for name, kind in KNOWN.items() if not kind.is_finite)
"""Behaviours that give a web no end."""
ALL_FINITE = tuple(name for name in KNOWN if name not in INFINITE and name != "stalls")
"""All that leave the web finite and quick: a crawl fetches exactly `Web.expected()`."""
CORRECT = ("redirects", "nofollow", "meta_robots", "duplicates", "gzip", "chunked", "charsets")
"""What a friendly web does: nothing fails, and nothing is forbidden."""
HOSTILE = tuple(KNOWN)
"""Everything at once."""

REDUNDANT = tuple(name for name in INFINITE if name != "spam")
"""All that makes a web larger, but not richer: traps, aliases, mirrors and soft errors."""

GROUPS = {
    "correct": CORRECT,
    "finite": ALL_FINITE,
    "infinite": INFINITE,
    "redundant": REDUNDANT,
    "hostile": HOSTILE,
}
"""Names that switch on several behaviours at once."""


def groups_of(name: str) -> list[str]:
    """The groups that a behaviour is in.

    >>> groups_of("calendar")
    ['infinite', 'redundant', 'hostile']
    """
    return [group for group, names in GROUPS.items() if name in names]


def behaviours_named(wanted: Iterable[str | Behaviour]) -> tuple[Behaviour, ...]:
    """Make behaviours from their names, or from the names of groups; instances stay as they are.

    >>> [behaviour.name for behaviour in behaviours_named(["errors", "calendar"])]
    ['errors', 'calendar']
    """
    made: dict[str, Behaviour] = {}
    for wish in wanted:
        if isinstance(wish, Behaviour):
            made[wish.name] = wish
        else:
            made |= {name: _make(name) for name in GROUPS.get(wish, (wish,)) if name not in made}
    return tuple(made.values())


def _make(name: str) -> Behaviour:
    if name not in KNOWN:
        names = ", ".join([*KNOWN, *GROUPS])
        raise SettingsError(f"there is no behaviour {name!r}; choose from: {names}")
    return KNOWN[name]()
