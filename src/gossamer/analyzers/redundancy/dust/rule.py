"""One rule: URLs with different spelling and the same content (DUST), and how to spell them alike."""

from enum import IntEnum, StrEnum
from math import isqrt

from msgspec import Struct


class RuleKind(StrEnum):
    PARAMETER = "parameter"
    """A parameter changes nothing."""
    PREFIX = "prefix"
    """One beginning of a path is another name for a second one."""
    ENDING = "ending"
    """One ending of a path is another name for a second one: index pages, print versions."""
    ORIGIN = "origin"
    """Scheme or `www.` make no difference."""


class RuleStage(StrEnum):
    """The stage of trust in a rule."""

    SUSPECTED = "suspected"
    TRIED = "being tried"
    USED = "in use"
    REFUTED = "refuted"


class Name(Struct, frozen=True, array_like=True):
    """The statement of a rule."""

    kind: RuleKind
    origin: str
    left: str
    right: str = ""


class RuleState(Struct, frozen=True, array_like=True):
    """A rule at a checkpoint."""

    name: Name
    stage: RuleStage
    pairs: int
    passed: int
    failed: int
    unclear: int = 0
    returns_at: int = 0
    folded: int = 0
    """URLs that it respelled, kept in their own spelling until it is refuted."""
    repeats: int = 0
    """Samples of these that brought nothing new …"""
    news: int = 0
    """… and those that did."""


class SampleVerdict(IntEnum):
    """The result of a sample: a URL that was fetched in both spellings."""

    SAME = 0
    UNCLEAR = 1
    """Nearly the same: a counter, a date or an advertisement may be all the difference."""
    DIFFERENT = 2
    ONE_IS_MISSING = 3


_SOUND = 10
"""Samples that must agree for each that does not, for a rule to be used …"""
_HOPELESS = 3
"""… and for one of which several differ, to be tried any longer."""
_RETURN = 4
"""A rule that was refuted is tried again when it has this many times more pairs …"""
_LEAST_RETURN = 16
"""… and at least these."""
_LEAST_CHECKED = 10
"""Samples that are taken at the end of what a rule folded; more, if it folded more than their square …"""
_SURE = 20
"""… and so many that bring nothing new for each that does."""
_MOST_DRAWN = 4
"""This many times more are drawn where samples bring no answer."""


class SpellingRule:
    """A rule and the evidence for it."""

    __slots__ = (
        *(
            "failed",
            "name",
            "on_trial",
            "pairs",
            "passed",
            "returns_at",
            "stage",
            "unclear",
            "uses",
        ),
        *("drawn", "folded", "news", "repeats", "_left", "_to_draw"),
    )

    def __init__(self, name: Name) -> None:
        self.name = name
        self.stage = RuleStage.SUSPECTED
        self.pairs = 0
        """Pairs of URLs that gave rise to it."""
        self.passed = 0
        """Samples, both sides fetched, that agree …"""
        self.failed = 0
        """… those that do not …"""
        self.unclear = 0
        """… and those that do nearly."""
        self.returns_at = 0
        """How many pairs there have to be for it to be tried again, once it was refuted."""
        self.on_trial = 0
        """Samples whose two sides are not both known yet."""
        self.uses = 0
        self.folded = 0
        """URLs that it respelled, and that are kept in their own spelling."""
        self.drawn = self.repeats = self.news = 0
        """Samples of these at the end; those that brought nothing new, and those that did."""
        self._to_draw = self._left = 0

    def state(self) -> RuleState:
        counts = (self.pairs, self.passed, self.failed, self.unclear, self.returns_at)
        return RuleState(self.name, self.stage, *counts, self.folded, self.repeats, self.news)

    @classmethod
    def restore(cls, state: RuleState) -> "SpellingRule":
        rule = cls(state.name)
        rule.stage, rule.pairs = state.stage, state.pairs
        rule.passed, rule.failed, rule.unclear = state.passed, state.failed, state.unclear
        rule.returns_at, rule.folded = state.returns_at, state.folded
        rule.repeats, rule.news = state.repeats, state.news
        rule.drawn = state.repeats + state.news  # what else was drawn is drawn once more
        return rule

    def needed(self, samples: int) -> int:
        """The number of samples that have to agree before the rule is used."""
        return max(samples, _SOUND * self.failed, self.unclear)

    def judge(self, verdict: SampleVerdict, samples: int) -> None:
        """Take a sample into account. One that differs has to be made up for, and decides nothing alone."""
        self.passed += verdict is SampleVerdict.SAME
        self.unclear += verdict is SampleVerdict.UNCLEAR
        self.failed += verdict in (SampleVerdict.DIFFERENT, SampleVerdict.ONE_IS_MISSING)
        if self._is_hopeless(verdict, samples):
            self._refute()
        elif self.passed >= self.needed(samples):
            self.stage = RuleStage.USED
        else:
            self.stage = RuleStage.TRIED

    def _is_hopeless(self, verdict: SampleVerdict, samples: int) -> bool:
        is_wrong = verdict is SampleVerdict.ONE_IS_MISSING and self.passed < _SOUND
        differ = self.failed > 1 and _HOPELESS * self.failed > self.passed
        return is_wrong or differ or self.unclear > _HOPELESS * max(samples, self.passed)

    @property
    def may_be_tried(self) -> bool:
        """Was it never tried, or so much found since it was refuted that it may be right all the same?"""
        if self.stage is RuleStage.REFUTED:
            return self.pairs >= self.returns_at
        return self.stage is RuleStage.SUSPECTED

    def begin_trial(self) -> None:
        self.stage = RuleStage.TRIED
        self.passed = self.failed = self.unclear = self.on_trial = 0
        self.drawn = self.repeats = self.news = 0

    def _refute(self) -> None:
        self.stage = RuleStage.REFUTED
        self.returns_at = _RETURN * max(self.pairs, _LEAST_RETURN // _RETURN)

    # What it folded.

    @property
    def stands(self) -> bool:
        """May what it folded stay folded, as far as is known?"""
        return self.stage in (RuleStage.USED, RuleStage.TRIED)

    @property
    def unchecked(self) -> int:
        """Of how many URLs that it folded a look is still to be taken, when nothing else is left."""
        if not (self.stands and self.folded):
            return 0
        wanted = max(_LEAST_CHECKED, isqrt(self.folded + self.drawn), _SURE * self.news)
        drawable = min(self.folded, _MOST_DRAWN * wanted - self.drawn)
        return max(0, min(wanted - self.repeats - self.news, drawable))

    def begin_drawing(self) -> None:
        """All that it folded is looked through from now on."""
        self._to_draw, self._left = self.unchecked, self.folded

    def draws(self, key: int) -> bool:
        """Is this URL, which it folded, a sample? Each is with the same chance (Knuth's algorithm S)."""
        if self._to_draw <= 0:
            return False
        left, self._left = max(1, self._left), self._left - 1
        is_drawn = key % left < self._to_draw
        self._to_draw -= is_drawn
        self.drawn += is_drawn
        return is_drawn

    def check(self, *, has_news: bool) -> None:
        """Take into account what a URL brought that it had folded. Two with news among few refute it."""
        self.news += has_news
        self.repeats += not has_news
        if self.stands and self.news > 1 and self.repeats < _SURE * self.news:
            self._refute()


def apply(name: Name, text: str) -> str:
    """The URL as the rule spells it; the same when the rule has nothing to say about it.

    >>> apply(Name(RuleKind.PARAMETER, "http://a.test", "sid"), "http://a.test/x?id=3&sid=7")
    'http://a.test/x?id=3'
    >>> apply(Name(RuleKind.PREFIX, "http://a.test", "/print/", "/"), "http://a.test/print/x")
    'http://a.test/x'
    >>> apply(Name(RuleKind.ENDING, "http://a.test", "/index.html", "/"), "http://a.test/index.html?a")
    'http://a.test/?a'
    >>> apply(Name(RuleKind.ORIGIN, "http://www.a.test", "http://a.test"), "http://www.a.test/x")
    'http://a.test/x'
    """
    origin, rest = name.origin, text[len(name.origin) :]
    if not text.startswith(origin) or not rest.startswith("/"):
        return text
    if name.kind is RuleKind.ORIGIN:
        return name.left + rest
    path, mark, query = rest.partition("?")
    if name.kind is RuleKind.PARAMETER:
        if name.left not in query:
            return text
        pairs = [pair for pair in query.split("&") if pair.partition("=")[0] != name.left]
        return origin + path + ("?" + "&".join(pairs) if pairs else "")
    if name.kind is RuleKind.PREFIX:
        if not path.startswith(name.left):
            return text
        return origin + name.right + path[len(name.left) :] + mark + query
    if not path.endswith(name.left):
        return text
    return origin + path[: len(path) - len(name.left)] + name.right + mark + query


def describe(state: RuleState) -> str:
    """One line about a rule.

    >>> describe(RuleState(Name(RuleKind.PARAMETER, "http://a.test", "sid"), RuleStage.USED, 3, 4, 0))
    'in use: http://a.test: the parameter sid changes nothing; 3 pairs, 4 of 4 samples agree'
    """
    name = state.name
    what = {
        RuleKind.PARAMETER: f"the parameter {name.left} changes nothing",
        RuleKind.PREFIX: f"paths under {name.left} lead to the same pages as those under {name.right}",
        RuleKind.ENDING: (
            f"paths lead to the same pages with the ending {name.left} as with "
            f"{name.right or 'none'}"
        ),
        RuleKind.ORIGIN: f"all paths lead to the same pages at {name.left}",
    }[name.kind]
    total = state.passed + state.failed
    return (
        f"{state.stage.value}: {name.origin}: {what}; "
        f"{state.pairs} pairs, {state.passed} of {total} samples agree{_describe_folded(state)}"
    )


def _describe_folded(state: RuleState) -> str:
    """
    >>> _describe_folded(RuleState(Name(RuleKind.PARAMETER, "", "s"), RuleStage.USED, 3, 4, 0, 0, 0, 90, 10))
    '; 90 URLs folded; 10 of 10 URLs fetched as a test had nothing new'
    """
    checked = state.repeats + state.news
    folded = f"; {state.folded:,} URLs folded" if state.folded else ""
    said = f"; {state.repeats} of {checked} URLs fetched as a test had nothing new"
    return f"{folded}{said if checked else ''}"
