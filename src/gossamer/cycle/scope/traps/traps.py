"""Which URL patterns are worth following, judged by what they have brought so far."""

from collections.abc import Iterable

from gossamer.base.records import Candidate
from gossamer.base.settings import DetectSettings
from gossamer.base.url import Url
from gossamer.cycle.scope.bounded_memory import Recent
from gossamer.cycle.scope.shape import Hint, Shape, shape_of
from gossamer.cycle.scope.traps.pattern import PatternState, Standing, UrlPattern

_RECOVERED = 2
"""A pattern rises again when its yield is so many times what it fell at."""
_MOST_LOOKS = 2


class Traps:
    """Knows the yield of every pattern that was lately in use.

    Told of pages by `observe`, of new URLs by `note_new`; asked by `find`.
    """

    def __init__(self, settings: DetectSettings, states: Iterable[PatternState] = ()) -> None:
        self._settings = settings
        self._patterns: Recent[str, UrlPattern] = Recent(settings.patterns)
        self._source = ""
        self._source_shape = shape_of("")
        self.has_risen = False
        """Has a pattern become better since this was last set to False?"""
        for state in states:
            self._patterns[state.name] = UrlPattern.restore(state, settings.memory)

    # Learning.

    def observe(self, url: Url, source: str, is_copy: bool, masked: int) -> None:
        """A page was read. A copy is one whose text was met before, at another URL."""
        shape = shape_of(url.text)
        pattern = self._pattern(shape.name, shape.hint)
        has_said = pattern.has_said(masked)
        # Numbers may be all that tells two good pages apart; so what is the same without them is held
        # against a pattern only when its URLs look like a trap or lead to ever more of their kind.
        is_doubtful = shape.hint is not Hint.NONE or pattern.feeds_itself
        is_new = not (is_copy or (has_said and is_doubtful))
        self._count(pattern, is_new)
        if shape.wider:
            self._count(self._pattern(shape.wider, shape.hint), is_new)
        if is_new and source:
            self._credit(source, shape.name)

    def observe_error(self, url: Url) -> None:
        """A page turned out to be none."""
        shape = shape_of(url.text)
        self._count(self._pattern(shape.name, shape.hint), False, is_certain=True)

    def _credit(self, source: str, name: str) -> None:
        """Something new was found through a page of another pattern."""
        finder = self._shape_of_source(source)
        for one in (finder.name, finder.wider) if finder.name != name else ():
            if (pattern := self._patterns.get(one)) is not None:
                pattern.credit()
                self._judge(pattern)

    def note_new(self, candidates: Iterable[Candidate]) -> None:
        """URLs were found that nobody knew."""
        for candidate in candidates:
            if candidate.source:
                source, own = self._shape_of_source(candidate.source), shape_of(candidate.url.text)
                for name in {source.name, source.wider} & {own.name, own.wider}:
                    if (pattern := self._patterns.get(name)) is not None:
                        pattern.offspring += 1

    # Judging.

    def find(self, url: Url) -> UrlPattern | None:
        """What counts for a URL: its own pattern, or a bad wider one unless its own is good."""
        shape = shape_of(url.text)
        own = self._patterns.get(shape.name)
        if shape.wider and (own is None or not own.is_proven):
            wider = self._patterns.get(shape.wider)
            if wider is not None and wider.standing is not Standing.GOOD:
                return wider
        return own

    @property
    def can_wake(self) -> bool:
        """Is there a pattern that may be looked at again?"""
        return any(one.standing is Standing.PAUSED for one in self._patterns.values())

    def wake(self) -> None:
        """Nothing else is left: let some of what is held be looked at again."""
        for pattern in self._patterns.values():
            if pattern.standing is Standing.PAUSED:
                self._wake(pattern)

    def states(self) -> list[PatternState]:
        """All that is not simply good, to be known again after a restart."""
        return [
            pattern.state()
            for pattern in self._patterns.values()
            if pattern.standing is not Standing.GOOD
        ]

    def __len__(self) -> int:
        return len(self._patterns)

    def _wake(self, pattern: UrlPattern) -> None:
        if not pattern.feeds_itself:
            pattern.standing = Standing.FINITE
        elif pattern.looks < _MOST_LOOKS:
            pattern.looks += 1
            pattern.tickets = self._settings.looks
        else:
            pattern.standing = Standing.SPENT

    def _count(self, pattern: UrlPattern, is_new: bool, is_certain: bool = False) -> None:
        pattern.count(is_new, is_certain)
        self._judge(pattern)

    def _judge(self, pattern: UrlPattern) -> None:
        settings, gain, before = self._settings, pattern.gain, pattern.standing
        if gain < settings.pause_below:
            if before in (Standing.GOOD, Standing.DEMOTED):
                pattern.standing = Standing.PAUSED
            elif before is Standing.FINITE and pattern.feeds_itself:
                pattern.standing = Standing.SPENT
        elif gain >= min(1.0, _RECOVERED * settings.demote_below):
            pattern.standing = Standing.GOOD
        elif (pattern.is_held and gain >= _RECOVERED * settings.pause_below) or (
            before is Standing.GOOD and gain < settings.demote_below
        ):
            pattern.standing = Standing.DEMOTED
        self.has_risen |= before in (Standing.PAUSED, Standing.SPENT) and not pattern.is_held

    def _pattern(self, name: str, hint: Hint) -> UrlPattern:
        pattern = self._patterns.get(name)
        if pattern is None:
            pattern = self._patterns[name] = UrlPattern(name, hint, self._settings.memory)
        return pattern

    def _shape_of_source(self, source: str) -> Shape:
        """The pattern of a page that names others; many in a row are named by the same."""
        if source != self._source:
            self._source, self._source_shape = source, shape_of(source)
        return self._source_shape
