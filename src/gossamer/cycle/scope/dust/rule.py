"""One rule: URLs with different spelling and the same content (DUST), and how to spell them alike."""

from enum import StrEnum

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
    """How much a rule is trusted."""

    SUSPECTED = "suspected"
    TRIED = "being tried"
    USED = "in use"
    REFUTED = "refuted"


class Name(Struct, frozen=True, array_like=True):
    """What a rule says."""

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


class SpellingRule:
    """A rule and the evidence for it."""

    __slots__ = ("failed", "name", "on_trial", "pairs", "passed", "stage", "uses")

    def __init__(self, name: Name) -> None:
        self.name = name
        self.stage = RuleStage.SUSPECTED
        self.pairs = 0
        """Pairs of URLs that gave rise to it."""
        self.passed = 0
        """Samples, both sides fetched, that agree …"""
        self.failed = 0
        """… and those that do not."""
        self.on_trial = 0
        """Samples whose two sides are not both known yet."""
        self.uses = 0

    def state(self) -> RuleState:
        return RuleState(self.name, self.stage, self.pairs, self.passed, self.failed)

    @classmethod
    def restore(cls, state: RuleState) -> "SpellingRule":
        rule = cls(state.name)
        rule.stage, rule.pairs = state.stage, state.pairs
        rule.passed, rule.failed = state.passed, state.failed
        return rule


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
        RuleKind.PREFIX: f"paths in {name.left} are those in {name.right}",
        RuleKind.ENDING: f"paths that end in {name.left} are those in {name.right or 'nothing'}",
        RuleKind.ORIGIN: f"all is the same at {name.left}",
    }[name.kind]
    total = state.passed + state.failed
    return (
        f"{state.stage.value}: {name.origin}: {what}; "
        f"{state.pairs} pairs, {state.passed} of {total} samples agree"
    )
