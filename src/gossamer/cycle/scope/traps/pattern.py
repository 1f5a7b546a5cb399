"""What is known of one URL pattern."""

from enum import IntEnum

from msgspec import Struct

from gossamer.cycle.scope.shape import Hint

_PRINTS = 16
"""Answers remembered of a pattern: more than a year of months."""

_SEVERAL = 3
_MOST_WEIGHT = 0.5


class Standing(IntEnum):
    """How URLs of a pattern are treated."""

    GOOD = 0
    DEMOTED = 1
    """They come last."""
    PAUSED = 2
    """They are held back, but for samples."""
    SPENT = 3
    """Looked at again at the end of the crawl, in vain: they stay held."""
    FINITE = 4
    """Let go at the end of the crawl: it has nothing new, but an end."""


class PatternState(Struct, frozen=True, array_like=True):
    """A pattern at a checkpoint."""

    name: str
    hint: Hint
    standing: int
    gain: float
    fetched: int
    new: int
    offspring: int
    held: int
    looks: int


class UrlPattern:
    """Counts what a pattern brings.

    `gain` is the yield: the moving average of 1 for a page that brought something new and 0 for one
    that did not, over about `memory` pages. It begins at 1, so that nothing is held against a
    pattern that is not known.
    """

    __slots__ = (
        "_prints",
        "fetched",
        "gain",
        "held",
        "hint",
        "looks",
        "name",
        "new",
        "offspring",
        "standing",
        "tickets",
        "weight",
        "woken",
    )

    def __init__(self, name: str, hint: Hint, memory: int) -> None:
        self.name = name
        self.hint = hint
        self.weight = min(_MOST_WEIGHT, hint.doubt / memory)
        self.gain = 1.0
        self.fetched = 0
        self.new = 0
        """Pages with something new."""
        self.offspring = 0
        """New URLs of the pattern that its own pages named."""
        self.held = 0
        self.looks = 0
        """How often it was looked at again."""
        self.tickets = 0
        """Held URLs that may go now …"""
        self.woken = 0
        """… and those that went and were not fetched yet."""
        self.standing = Standing.GOOD
        self._prints: dict[int, None] = {}

    @property
    def feeds_itself(self) -> bool:
        """Do its pages name about as many new URLs of its kind as there are pages?"""
        return self.offspring >= self.fetched / 2

    @property
    def is_proven(self) -> bool:
        """Have several of its pages brought something new, and at least half of them?"""
        return self.new >= _SEVERAL and 2 * self.new >= self.fetched

    @property
    def is_held(self) -> bool:
        return self.standing in (Standing.PAUSED, Standing.SPENT)

    def has_said(self, masked: int) -> bool:
        """Did a page of the pattern say this, numbers apart? Notes it."""
        if not masked:
            return False
        is_known = masked in self._prints
        self._prints[masked] = None
        if len(self._prints) > _PRINTS:
            del self._prints[next(iter(self._prints))]
        return is_known

    def count(self, is_new: bool, is_certain: bool = False) -> None:
        """A page was fetched; what is certain counts for several pages."""
        self.fetched += 1
        self.new += is_new
        weight = _MOST_WEIGHT if is_certain else self.weight
        self.gain += weight * (is_new - self.gain)

    def credit(self) -> None:
        """Something new was found elsewhere, through a link on one of its pages."""
        self.gain += self.weight * (1 - self.gain)

    def state(self) -> PatternState:
        return PatternState(
            self.name,
            self.hint,
            self.standing,
            self.gain,
            self.fetched,
            self.new,
            self.offspring,
            self.held,
            self.looks,
        )

    @classmethod
    def restore(cls, state: PatternState, memory: int) -> "UrlPattern":
        pattern = cls(state.name, state.hint, memory)
        pattern.standing = Standing(state.standing)
        pattern.gain, pattern.fetched, pattern.new = state.gain, state.fetched, state.new
        pattern.offspring, pattern.held, pattern.looks = state.offspring, state.held, state.looks
        return pattern


def describe(state: PatternState) -> str:
    """One line about a pattern that is not simply good.

    >>> describe(PatternState("http://a.test/c/{n}", Hint.CALENDAR, 2, 0.0, 30, 2, 60, 12, 0))
    'paused http://a.test/c/{n}: dates without an end; 2 of 30 pages had anything new; 12 URLs held'
    """
    words = _WORDS[Standing(state.standing)]
    held = f"; {state.held} URLs held" if state.held else ""
    return (
        f"{words} {state.name}: {state.hint.value}; "
        f"{state.new} of {state.fetched} pages had anything new{held}"
    )


_WORDS = {
    Standing.GOOD: "good",
    Standing.DEMOTED: "demoted",
    Standing.PAUSED: "paused",
    Standing.SPENT: "paused for good",
    Standing.FINITE: "fetched last",
}
