"""Learns rules, tries them out, and uses them."""

from collections.abc import Iterable
from typing import NamedTuple

from gossamer.analyzers.redundancy.bounded_memory import Recent
from gossamer.analyzers.redundancy.dust.guess import guess
from gossamer.analyzers.redundancy.dust.rule import (
    Name,
    RuleStage,
    RuleState,
    SampleVerdict,
    SpellingRule,
    apply,
)
from gossamer.analyzers.redundancy.texts_met import Texts
from gossamer.core.settings import DetectSettings

_MOST_RULES = 64
"""Rules that are kept of an origin."""
_MOST_TRIALS = 10_000
_DOMINANT = 0.8
"""Part of the pairs with the same left side that must speak for the same right side."""
_AUDIT = 64
"""After this many uses, and each time they have doubled, a URL is fetched under both spellings again."""


class Respelled(NamedTuple):
    """A URL as the rules in use spell it."""

    text: str
    beside: str = ""
    """Another URL to be fetched, to find out whether a rule still holds."""
    rules: tuple[Name, ...] = ()
    """Those that changed it."""


class Dust:
    """Rules by origin: told of pages by `observe`, asked for spellings by `respell`."""

    def __init__(
        self, settings: DetectSettings, texts: Texts, states: Iterable[RuleState] = ()
    ) -> None:
        self._settings = settings
        self._texts = texts
        self._rules: Recent[str, dict[Name, SpellingRule]] = Recent(settings.hosts)
        self._watched: set[str] = set()
        """Origins with rules to apply or to try."""
        self._trials: Recent[str, list[tuple[SpellingRule, str]]] = Recent(_MOST_TRIALS)
        """URLs whose text decides about a rule, each with the URL to compare."""
        self._as_found: Recent[str, bool] = Recent(_MOST_TRIALS)
        """URLs that were folded and are fetched as they are, to see what they bring."""
        self.has_fallen = False
        """Was a rule given up that had folded URLs, since this was last set to False?"""
        for state in states:
            self._restore(state)

    # Learning.

    def observe(self, url: str, origin: str, first: str) -> bool:
        """A page was read, or is not there; `first` is where its text was met before, if it was.

        Says whether it is the better spelling of what was met first.
        """
        name = guess(url, origin, first) if first else None
        if name is not None:
            self._suspect(name)
        if (trials := self._trials.pop(url)) is not None:
            self._keep(url, [trial for trial in trials if not self._decide(*trial, url)])
        return name is not None and apply(name, first) == url

    def _suspect(self, name: Name) -> None:
        rules = self._rules.get(name.origin)
        if rules is None:
            rules = self._rules[name.origin] = {}
        if name not in rules and len(rules) >= _MOST_RULES:
            weakest = min(
                rules, key=lambda known: (rules[known].stage is RuleStage.USED, rules[known].pairs)
            )
            self.has_fallen |= rules.pop(weakest).folded > 0
        rule = rules.setdefault(name, SpellingRule(name))
        rule.pairs += 1
        if rule.may_be_tried and self._is_convincing(rule, rules):
            rule.begin_trial()
            self._watched.add(name.origin)

    def _is_convincing(self, rule: SpellingRule, rules: dict[Name, SpellingRule]) -> bool:
        if rule.pairs < self._settings.pairs:
            return False
        name = rule.name
        rivals = sum(
            spelling_rule.pairs
            for spelling_rule in rules.values()
            if spelling_rule.name.kind is name.kind and spelling_rule.name.left == name.left
        )
        return rule.pairs >= _DOMINANT * rivals

    # Using.

    @property
    def is_idle(self) -> bool:
        """Is no rule in use or being tried, and no URL fetched as it is for the sake of one?"""
        return not (self._watched or len(self._trials) or len(self._as_found))

    def has_rules(self, origin: str) -> bool:
        """Are there rules for an origin that are in use, or being tried?"""
        return origin in self._watched

    def respell(self, url: str, origin: str) -> Respelled:
        """The URL as the rules in use spell it, and now and then another one to fetch beside it."""
        if origin not in self._watched or self.is_on_trial(url):
            return Respelled(url)
        spelled, rules = url, list[Name]()
        for rule in self._of(origin):
            if rule.stage is RuleStage.USED and (other := apply(rule.name, spelled)) != spelled:
                rule.uses += 1
                if rule.uses >= _AUDIT and rule.uses.bit_count() == 1:
                    return Respelled(url, self._try(rule, url, apply(rule.name, url)))
                spelled = other
                rules.append(rule.name)
                if not spelled.startswith(origin):
                    break
        return Respelled(spelled, "", tuple(rules))

    def spell(self, url: str, origin: str) -> str:
        """The URL as the rules that stand spell it."""
        for rule in self._of(origin):
            if rule.stands and url.startswith(origin):
                url = apply(rule.name, url)
        return url

    def is_in_doubt(self, url: str, origin: str) -> bool:
        """Would a rule that is being tried spell it in another way?"""
        if origin not in self._watched or self.is_on_trial(url):
            return False
        return any(
            rule.stage is RuleStage.TRIED and apply(rule.name, url) != url
            for rule in self._of(origin)
        )

    def sample(self, url: str, origin: str, is_cheap: bool) -> str | None:
        """Take a URL in doubt as a sample: the other one to fetch with it, or nothing if that is known.

        None when there are samples enough under way, or, where it has to be cheap, the other is not known.
        """
        for rule in self._of(origin):
            if rule.stage is RuleStage.TRIED and (other := apply(rule.name, url)) != url:
                is_known = self._texts.said_at(other) is not None
                under_way = rule.passed + rule.on_trial
                # The other may wait long for its turn; one that is known will not be waited for in vain.
                needed = rule.needed(self._settings.samples)
                is_welcome = is_known and under_way < needed + self._settings.samples
                if is_welcome or (under_way < needed and not is_cheap):
                    return self._try(rule, url, other)
        return None

    def is_on_trial(self, url: str) -> bool:
        """Is a URL to be fetched as it is, because it decides about a rule?"""
        return url in self._trials or url in self._as_found

    # What was folded.

    def rule(self, name: Name) -> SpellingRule | None:
        """A rule by its name; None when it was forgotten."""
        return (self._rules.get(name.origin) or {}).get(name)

    def fetch_as_found(self, url: str) -> None:
        """From now on, leave a URL in its own spelling, whatever the rules say."""
        self._as_found[url] = True

    def end_as_found(self, url: str) -> None:
        self._as_found.pop(url)

    def check(self, names: Iterable[Name], *, has_news: bool) -> None:
        """Take into account what a URL brought that these rules had folded."""
        for rule in filter(None, map(self.rule, names)):
            rule.check(has_news=has_news)
            self.has_fallen |= not rule.stands

    def states(self) -> list[RuleState]:
        return [
            rule.state()
            for rules in self._rules.values()
            for rule in rules.values()
            if rule.stage is not RuleStage.SUSPECTED
        ]

    def _of(self, origin: str) -> list[SpellingRule]:
        return list((self._rules.get(origin) or {}).values())

    def _try(self, rule: SpellingRule, url: str, other: str) -> str:
        rule.on_trial += 1
        if self._decide(rule, other, url):
            return ""
        for one, two in ((url, other), (other, url)):
            self._keep(one, [*(self._trials.get(one) or ()), (rule, two)])
        return other if self._texts.said_at(other) is None else ""

    def _decide(self, rule: SpellingRule, other: str, url: str) -> bool:
        """Compare both sides of a sample, if both are known."""
        here, there = self._texts.said_at(url), self._texts.said_at(other)
        if here is None or there is None:
            return False
        self._keep(other, [one for one in self._trials.pop(other) or () if one != (rule, url)])
        rule.on_trial = max(0, rule.on_trial - 1)
        rule.judge(self._compare(url, other, here, there), self._settings.samples)
        self.has_fallen |= rule.folded > 0 and not rule.stands
        return True

    def _compare(self, url: str, other: str, here: int, there: int) -> SampleVerdict:
        if min(here, there) < 0:
            return SampleVerdict.UNCLEAR if here == there else SampleVerdict.ONE_IS_MISSING
        if here == there:
            return SampleVerdict.SAME if here else SampleVerdict.UNCLEAR
        is_alike = self._texts.is_alike(url, other)
        return SampleVerdict.UNCLEAR if is_alike else SampleVerdict.DIFFERENT

    def _keep(self, url: str, trials: list[tuple[SpellingRule, str]]) -> None:
        if trials:
            self._trials[url] = trials

    def _restore(self, state: RuleState) -> None:
        rules = self._rules.get(state.name.origin)
        if rules is None:
            rules = self._rules[state.name.origin] = {}
        rules[state.name] = SpellingRule.restore(state)
        self._watched.add(state.name.origin)
