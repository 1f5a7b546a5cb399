"""Statistics of one URL pattern."""

from enum import IntEnum

from msgspec import Struct

from gossamer.analyzers.redundancy.shape import Hint

_PRINTS = 16
"""Answers remembered of a pattern: more than a year of months."""
_MOST_LOOKS = 3
"""How often a pattern is looked at again, each time at twice as many URLs as before."""

_SUSPECT = 3
"""How many times fewer samples are taken of what looks like a trap."""
_SURE = 4
"""How many times longer it takes until a pattern is held that was thought to have an end."""


class Standing(IntEnum):
    """The treatment of URLs of a pattern."""

    OPEN = 0
    HELD = 1
    """They are held back until nothing else is left."""
    ENDLESS = 2
    """Looked at again at the end of the crawl, in vain: they stay held."""
    FINITE = 3
    """Let go at the end of the crawl: it brings nothing new, but it has an end."""


_HELD = (Standing.HELD, Standing.ENDLESS)


class PatternState(Struct, frozen=True, array_like=True):
    """A pattern at a checkpoint."""

    name: str
    hint: Hint
    standing: int
    fetched: int
    fruitful: int
    barren: int
    offspring: int
    held: int
    looks: int
    depth: int = 0


class UrlPattern:
    """Counts what a pattern brings, and how it grows meanwhile."""

    __slots__ = (
        "_prints",
        "allowed_barren",
        "barren",
        "depth",
        "fetched",
        "fruitful",
        "held",
        "hint",
        "looks",
        "name",
        "offspring",
        "standing",
        "tickets",
        "woken",
    )

    def __init__(self, name: str, hint: Hint, allowed_barren: int) -> None:
        self.name = name
        self.hint = hint
        self.allowed_barren = allowed_barren
        """Pages in a row that may bring nothing, if none brought anything before."""
        self.fetched = 0
        self.fruitful = 0
        """Pages that brought something new, or led to it."""
        self.barren = 0
        """Pages since then."""
        self.offspring = 0
        """New URLs of the pattern since then."""
        self.depth = 0
        """How far from a seed the last of its pages was."""
        self.held = 0
        self.looks = 0
        """How often it was looked at again."""
        self.tickets = 0
        """Held URLs that may go now …"""
        self.woken = 0
        """… and those that went and were not fetched yet."""
        self.standing = Standing.OPEN
        self._prints: dict[int, None] = {}

    def has_said(self, masked: int) -> bool:
        """Did a page of the pattern say this lately, numbers apart? Notes it."""
        if not masked:
            return False
        is_known = masked in self._prints
        self._prints[masked] = None
        if len(self._prints) > _PRINTS:
            del self._prints[next(iter(self._prints))]
        return is_known

    @property
    def is_growing(self) -> bool:
        """Do new URLs of it come up about as fast as they are fetched?"""
        return 2 * self.offspring >= self.barren

    @property
    def is_proven(self) -> bool:
        """Did at least half of its pages bring something new?"""
        return self.fruitful > 0 and 2 * self.fruitful >= self.fetched

    @property
    def is_held(self) -> bool:
        return self.standing in _HELD

    def count(self, is_fruitful: bool, depth: int = 0) -> None:
        """A page was fetched."""
        self.fetched += 1
        self.depth = max(self.depth, depth)
        if is_fruitful:
            self.credit()
            return
        self.barren += 1
        if (self.standing is Standing.OPEN and self.seems_endless) or (
            self.standing is Standing.FINITE and self._has_no_end_after_all
        ):
            self.standing = Standing.HELD

    @property
    def seems_endless(self) -> bool:
        """Did this many pages in a row bring nothing, while ever more came? A good history takes longer."""
        return self.barren >= max(self.allowed_barren, self.fruitful) and self.is_growing

    @property
    def _has_no_end_after_all(self) -> bool:
        """Was it thought to have an end, and comes up with ever more since then?

        Few pages decided that. They may have named only what was known, as after a crash.
        """
        return self.barren >= _SURE * max(self.allowed_barren, self.fruitful) and self.is_growing

    def credit(self) -> None:
        """It brought something new, or led there."""
        self.fruitful += 1
        self.barren = self.offspring = self.looks = 0
        self.standing = Standing.OPEN

    def look_again(self, looks: int) -> None:
        """Nothing else is left: let some go, let all go, or leave it at that.

        Each time twice as many are let go, so that samples are taken ever further away. If fewer new ones
        come up than are fetched, there is an end to it. Of what looks like a trap fewer samples say as much.
        """
        if self.hint is not Hint.NONE:
            looks = max(1, looks // _SUSPECT)
        if self.looks and not self.is_growing:
            self.standing = Standing.FINITE
        elif self.looks < _MOST_LOOKS:
            self.tickets = looks << self.looks
            self.looks += 1
            self.barren = self.offspring = 0
        else:
            self.standing = Standing.ENDLESS

    def state(self) -> PatternState:
        return PatternState(
            self.name,
            self.hint,
            self.standing,
            self.fetched,
            self.fruitful,
            self.barren,
            self.offspring,
            self.held,
            self.looks,
            self.depth,
        )

    @classmethod
    def restore(cls, state: PatternState, allowed_barren: int) -> "UrlPattern":
        pattern = cls(state.name, state.hint, allowed_barren)
        pattern.standing = Standing(state.standing)
        pattern.fetched, pattern.fruitful, pattern.barren = (
            state.fetched,
            state.fruitful,
            state.barren,
        )
        pattern.offspring, pattern.held, pattern.looks = state.offspring, state.held, state.looks
        pattern.depth = state.depth
        return pattern


def describe(state: PatternState) -> str:
    """One line about a pattern that is not open.

    >>> describe(PatternState("http://a.test/c/{n}", Hint.CALENDAR, 1, 60, 2, 58, 61, 0, 0, 9))
    'held http://a.test/c/{n}: endless dates; 2 of 60 pages had anything new, none of the last 58'
    """
    held = f"; {state.held} URLs held" if state.held else ""
    return (
        f"{_WORDS[Standing(state.standing)]} {state.name}: {state.hint.value}; {state.fruitful} of "
        f"{state.fetched} pages had anything new, none of the last {state.barren}{held}"
    )


_WORDS = {
    Standing.OPEN: "open",
    Standing.HELD: "held",
    Standing.ENDLESS: "no end",
    Standing.FINITE: "fetched last",
}
