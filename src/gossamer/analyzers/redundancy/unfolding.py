"""Release folded URLs: their rule was refuted, or they are samples at the end of a crawl.

Links of pages that are copies of others, or nearly, wait here as well: a copy in another folder may lead
elsewhere, and a gallery without words looks like a calendar. They come out when nothing else is left.

respell ─▶ fold ─▶ on disk ─▶ refuted, or switched off ─▶ all ────▶ frontier
                      ▲  └───▶ nothing else is left ──▶ samples ─▶ frontier ─▶ look ─┐
                      └────────────────── the rule holds ◀───────────────────────────┤
                                                         refuted: all ◀──────────────┘
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from gossamer.analyzers.redundancy.bounded_memory import Recent
from gossamer.analyzers.redundancy.dust import Dust, Name, SpellingRule
from gossamer.analyzers.redundancy.folded import NEVER_WAITED, FoldedUrl, FoldedUrls
from gossamer.core.records import Candidate, Via, Visit
from gossamer.core.settings import DetectSettings
from gossamer.core.url_patterns import UrlPatterns

_MOST_SAMPLES = 10_000
_SWEPT = 2000
"""Folded URLs that are looked through in one turn."""


class Unfolding:
    """Keeps what rules fold, and brings it out again.

    Told of what is folded by `fold`, of pages by `look`; asked by `come_out`.
    """

    def __init__(
        self, settings: DetectSettings, dust: Dust, folded: FoldedUrls, aside: int = 0
    ) -> None:
        self._dust = dust
        self._folded = folded
        self._is_on = settings.dust
        self._as_found = UrlPatterns("detect.as_found", settings.as_found)
        self._names: set[Name] = {state.name for state in dust.states() if state.folded}
        """Rules that have folded something."""
        self._samples: Recent[str, tuple[Name, ...]] = Recent(_MOST_SAMPLES)
        """URLs of which it is to be seen what they bring, and the rules that had folded them."""
        self.aside = aside
        """Links of copies that wait here, too, until nothing else is left."""
        self._is_last = False
        """Are they let go by the look that is under way?"""
        if not self._is_on or self._as_found or not all(rule.stands for rule in self._rules()):
            folded.begin_sweep()

    def __len__(self) -> int:
        return len(self._folded) - self.aside

    @property
    def disk_bytes(self) -> int:
        return self._folded.disk_bytes

    def is_wanted(self, url: str) -> bool:
        """Do the settings say that a URL is fetched in the spelling in which it was found?"""
        return self._as_found.find(url)

    def fold(
        self, candidate: Candidate, names: tuple[Name, ...], level: int = NEVER_WAITED
    ) -> None:
        """Keep a URL that these rules respelled; `level` is the one that it had in the frontier."""
        if self._folded.put(FoldedUrl(candidate, names, level)):
            self._count(names, 1)

    def set_aside(self, candidates: Iterable[Candidate]) -> None:
        """Keep links that no rule respelled until nothing else is left."""
        for candidate in candidates:
            self.aside += self._folded.put(FoldedUrl(candidate, ()))

    # Pages.

    def look(self, visit: Visit, location: str, has_news: Callable[[], bool]) -> None:
        """A page was read: if it is a sample, or a sample led there, it says something of its rules."""
        if not len(self._samples):
            return
        names = self._samples.pop(visit.url.text)
        if names is None and visit.via is Via.REDIRECT:
            names = self._samples.pop(_moved(visit.source))
        if names is None:
            return
        self._dust.end_as_found(visit.url.text)
        if location:  # the page there says it, if it is fetched: if not, it was known
            self._samples[_moved(visit.url.text)] = names
        else:
            self._dust.check(names, has_news=has_news())

    # Out.

    def come_out(self) -> list[FoldedUrl]:
        """Folded URLs that are to be fetched after all, some at a time."""
        if self._dust.has_fallen:
            self._dust.has_fallen = self._is_last = False
            self._folded.begin_sweep()
        if not self._folded.is_sweeping:
            return []
        return list(self._folded.sweep(self._is_free, _SWEPT))

    @property
    def has_more(self) -> bool:
        """Are there folded URLs that may have to come out, when nothing else is left?"""
        if not len(self._folded):
            return False
        is_untouched = self._folded.is_sweeping or self._folded.is_unswept or self._dust.has_fallen
        return is_untouched or self.aside > 0 or any(rule.unchecked for rule in self._rules())

    def wake(self) -> None:
        """Nothing else is left: take samples of what rules folded, and all that was set aside."""
        if not self.has_more or self._folded.is_sweeping:
            return
        for rule in self._rules():
            rule.begin_drawing()
        self._is_last = True
        self._folded.begin_sweep()

    def _is_free(self, folded: FoldedUrl) -> bool:
        url, names = folded.candidate.url, folded.rules
        if not names:
            self.aside -= self._is_last
            return self._is_last
        rules = [self._dust.rule(name) for name in names]
        standing = [rule for rule in rules if rule is not None and rule.stands]
        is_released = len(standing) < len(names) or not self._is_on or self.is_wanted(url.text)
        if not is_released:
            draws = [rule.draws(url.key) for rule in standing]  # each of them counts it
            if not any(draws):
                return False
            self._samples[url.text] = names
            self._dust.fetch_as_found(url.text)
        self._count(names, -1)
        return True

    def _rules(self) -> Iterator[SpellingRule]:
        return filter(None, map(self._dust.rule, self._names))

    def _count(self, names: Sequence[Name], step: int) -> None:
        for name in names:
            rule = self._dust.rule(name)
            if rule is not None:
                rule.folded = max(0, rule.folded + step)
            if rule is not None and rule.folded:
                self._names.add(name)
            else:
                self._names.discard(name)

    # Recorded.

    def note(self) -> bytes:
        return self._folded.note()

    def noted(self) -> None:
        self._folded.noted()

    def replay(self, notes: Sequence[bytes]) -> None:
        for folded in self._folded.replay(notes):
            self._count(folded.rules, 1)
            self.aside += not folded.rules


def _moved(source: str) -> str:
    """A key that is no URL: for what the URL leads to."""
    return f"\n{source}"
