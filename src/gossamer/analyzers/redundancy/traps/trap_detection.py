"""Which URL patterns have no end, and bring nothing."""

from collections.abc import Iterable

from gossamer.analyzers.redundancy.bounded_memory import Recent
from gossamer.analyzers.redundancy.shape import Hint, Shape, shape_of
from gossamer.analyzers.redundancy.traps.pattern_yield import PatternState, Standing, UrlPattern
from gossamer.core.records import Candidate
from gossamer.core.settings import DetectSettings
from gossamer.core.url import Url

_CERTAIN = 3
"""Pages without anything new for which one counts that is none for certain."""
_SUSPICIOUS = 4
"""How many times sooner what looks like a trap is held."""
_WIDER = 2
"""How many times longer it takes until a wider pattern is held …"""
_FOLDER = 4
"""… and until a folder is."""


class Traps:
    """Knows the patterns that were lately in use.

    Told of pages by `observe`, of new URLs by `note_new`; asked by `find`.
    """

    def __init__(self, settings: DetectSettings, states: Iterable[PatternState] = ()) -> None:
        self._settings = settings
        self._patterns: Recent[str, UrlPattern] = Recent(settings.patterns)
        self.has_risen = False
        """Has a pattern become better since this was last set to False?"""
        self.has_held = False
        """Was any pattern ever held? While none was, no URL need be looked at for its sake."""
        for state in states:
            pattern = UrlPattern.restore(state, self._allowed_barren(state.name, state.hint))
            self._patterns[state.name] = pattern
            self.has_held = self.has_held or pattern.is_held

    # Learning.

    def observe(self, url: Url, source: str, is_fruitful: bool, depth: int = 0) -> None:
        """A page was read; is there anything new in it?"""
        shape, patterns = shape_of(url.text), self._patterns
        for name in shape.names:
            pattern = patterns.get(name) or self._pattern(name, shape.hint)
            if is_fruitful:
                pattern.fetched += 1
                self._rise(pattern)
            else:
                self._count_barren(pattern, depth)
        if is_fruitful and source:
            self._credit(source, shape)

    def observe_error(self, url: Url) -> None:
        """A page turned out to be none, for certain: that counts for several."""
        shape = shape_of(url.text)
        for name in shape.names:
            pattern = self._pattern(name, shape.hint)
            pattern.barren += _CERTAIN - 1
            self._count_barren(pattern, depth=0)

    def has_said(self, url: Url, masked: int) -> bool:
        """Did a page of the same pattern say this lately, numbers apart?"""
        shape = shape_of(url.text)
        return self._pattern(shape.name, shape.hint).has_said(masked)

    def _credit(self, source: str, shape: Shape) -> None:
        """Something new was found through a page of another pattern."""
        for name in shape_of(source).names:
            if name not in shape.names and (pattern := self._patterns.get(name)) is not None:
                self._rise(pattern)

    def note_new(self, candidates: Iterable[Candidate]) -> None:
        """URLs were found that nobody knew."""
        find = self._patterns.get
        for candidate in candidates:
            for name in shape_of(candidate.url.text).names:
                if (pattern := find(name)) is not None:
                    pattern.offspring += 1

    # Judging.

    def find(self, url: Url) -> UrlPattern | None:
        """The pattern that counts for a URL: its own, or a wider one that is held unless its own is good."""
        shape = shape_of(url.text)
        own = self._patterns.get(shape.name)
        if own is not None and (own.is_held or own.is_proven):
            return own
        for name in shape.names[1:]:
            wider = self._patterns.get(name)
            if wider is not None and wider.is_held:
                return wider
        return own

    @property
    def can_wake(self) -> bool:
        """Is there a pattern that may be looked at again?"""
        return any(pattern.standing is Standing.HELD for pattern in self._patterns.values())

    def wake(self) -> None:
        """Nothing else is left: let some of what is held be looked at again."""
        for pattern in self._patterns.values():
            if pattern.standing is Standing.HELD:
                pattern.look_again(self._settings.looks)

    def states(self) -> list[PatternState]:
        """All that is not simply open, to be known again after a restart."""
        return [
            pattern.state()
            for pattern in self._patterns.values()
            if pattern.standing is not Standing.OPEN
        ]

    def __len__(self) -> int:
        return len(self._patterns)

    def _count_barren(self, pattern: UrlPattern, depth: int) -> None:
        pattern.count(False, depth)
        self.has_held = self.has_held or pattern.is_held

    def _rise(self, pattern: UrlPattern) -> None:
        self.has_risen = self.has_risen or pattern.is_held
        pattern.credit()

    def _pattern(self, name: str, hint: Hint) -> UrlPattern:
        pattern = self._patterns.get(name)
        if pattern is None:
            pattern = self._patterns[name] = UrlPattern(
                name, hint, self._allowed_barren(name, hint)
            )
        return pattern

    def _allowed_barren(self, name: str, hint: Hint) -> int:
        """Of what looks like a trap less has to be seen, of a wider pattern more."""
        if hint is not Hint.NONE:
            return self._settings.barren // _SUSPICIOUS
        wider = _FOLDER if name.endswith("/**") else _WIDER if name.endswith("?*") else 1
        return wider * self._settings.barren
