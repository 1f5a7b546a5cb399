"""Hosts that have the same content at the same paths: one is crawled, the others are sampled."""

from collections.abc import Iterable

from msgspec import Struct

from gossamer.analyzers.redundancy.bounded_memory import Recent
from gossamer.analyzers.redundancy.texts_met import Texts
from gossamer.core.settings import DetectSettings
from gossamer.core.url import Url

_MOST_PAIRS = 1000
_MOST_PARTNERS = 4
_FEW = 10
"""Two hosts are mirrors while they differ at no more than one path in so many …"""
_MANY = 5
"""… and are taken for different again when they differ at one in so many."""


class MirrorState(Struct, frozen=True, array_like=True):
    """Two hosts at a checkpoint."""

    main: str
    """The origin that is crawled."""
    copy: str
    """The one that is sampled, if they are mirrors."""
    agree: int
    differ: int
    is_mirror: bool
    held: int


class Pair:
    """Two hosts that have something in common."""

    def __init__(self, main: str, copy: str) -> None:
        self.main, self.copy = main, copy
        self.agree = self.differ = self.held = self.tickets = self.woken = 0
        self.is_mirror = self.was_looked_at = False
        self.texts: set[int] = set()
        """What both have said, as long as that is little."""

    def state(self) -> MirrorState:
        return MirrorState(self.main, self.copy, self.agree, self.differ, self.is_mirror, self.held)


class MirrorDetector:
    """Compares hosts, path by path, as their pages come in.

    The first page that two hosts have in common, path and text, makes them a pair to be watched.
    """

    def __init__(
        self, settings: DetectSettings, texts: Texts, states: Iterable[MirrorState] = ()
    ) -> None:
        self._settings = settings
        self._texts = texts
        self._pairs: Recent[tuple[str, str], Pair] = Recent(_MOST_PAIRS)
        self._partners: Recent[str, list[Pair]] = Recent(2 * _MOST_PAIRS)
        self._copies: dict[str, Pair] = {}
        self._met: Recent[str, int] = Recent(settings.hosts)
        """Origins, each with a number that says which was met before which."""
        self.has_risen = False
        """Did two hosts turn out to be different since this was last set to False?"""
        for state in states:
            self._restore(state)

    def observe(self, url: Url, said: int, first: str) -> None:
        """A page was read; `first` is where the same text was met before, if it was."""
        if not self._met.get(url.origin):
            self._met[url.origin] = len(self._met) + 1
        if not first and url.origin not in self._partners:
            return
        path = url.text[len(url.origin) :]
        if first and path != "/" and first.endswith(path):
            origin = first[: -len(path)]
            if origin.partition("://")[2].count("/") == 0 and origin != url.origin:
                self._watch(origin, url.origin)
        for pair in self._partners.get(url.origin) or ():
            other = pair.main if pair.copy == url.origin else pair.copy
            there = self._texts.said_at(other + path)
            if there is not None:
                self._compare(pair, there == said, said)
            elif not first and pair.was_looked_at and pair.copy == url.origin:
                pair.differ += pair.agree  # the main host is done, and has no such page
                self._compare(pair, False, said)

    @property
    def has_copies(self) -> bool:
        """Is there a host that is only sampled?"""
        return bool(self._copies)

    def pair_of(self, url: Url) -> Pair | None:
        """The pair whose copy a URL belongs to."""
        return self._copies.get(url.origin)

    def is_sample(self, url: Url) -> bool:
        return url.key % self._settings.sample_every == 0

    @property
    def can_wake(self) -> bool:
        """Is there a copy that was not looked at again?"""
        return not all(pair.was_looked_at for pair in self._copies.values())

    def wake(self) -> None:
        """Nothing else is left: let some of what is held be looked at again."""
        for pair in self._copies.values():
            if not pair.was_looked_at:
                pair.was_looked_at = True
                pair.tickets = self._settings.looks

    def states(self) -> list[MirrorState]:
        return [pair.state() for pair in self._pairs.values() if pair.is_mirror]

    def _watch(self, main: str, copy: str) -> Pair | None:
        first, second = sorted((main, copy))
        pair = self._pairs.get((first, second))
        if pair is not None:
            return pair
        lists = [self._partners.get(origin) or [] for origin in (main, copy)]
        if max(map(len, lists)) >= _MOST_PARTNERS:
            return None
        if (self._met.get(copy) or 0) < (self._met.get(main) or 0):
            main, copy = copy, main  # the one that was met first is the one to crawl
            lists.reverse()
        pair = self._pairs[first, second] = Pair(main, copy)
        for origin, partners in zip((main, copy), lists, strict=True):
            self._partners[origin] = [*partners, pair]
        return pair

    def _compare(self, pair: Pair, is_same: bool, said: int) -> None:
        pair.agree += is_same
        pair.differ += not is_same
        is_mirror = pair.is_mirror
        if is_same and not is_mirror:
            pair.texts.add(said)
            pair.is_mirror = self._is_convincing(pair)
        elif is_mirror and pair.differ * _MANY > pair.agree:
            pair.is_mirror = False
            self.has_risen = True
        if pair.is_mirror:
            self._copies.setdefault(pair.copy, pair)
        elif is_mirror and self._copies.get(pair.copy) is pair:
            self._release(pair.copy)

    def _release(self, copy: str) -> None:
        """A pair was taken for mirrors by mistake; the copy may still be the mirror of another host."""
        del self._copies[copy]
        for other in self._partners.get(copy) or ():
            if other.is_mirror and other.copy == copy:
                self._copies[copy] = other
                return

    def _is_convincing(self, pair: Pair) -> bool:
        """Do the hosts have many different pages in common, their home pages too, and few not?"""
        wanted = self._settings.agreements
        home = self._texts.said_at(pair.main + "/")
        if home is None or home != self._texts.said_at(pair.copy + "/"):
            return False
        if self._crawled_for(pair.main) == pair.copy:  # one of them must be crawled
            return False
        return len(pair.texts) >= wanted and pair.differ * _FEW <= pair.agree

    def _crawled_for(self, origin: str) -> str:
        """The origin that is crawled in place of another: the mirror of a mirror is one, too."""
        while (pair := self._copies.get(origin)) is not None:
            origin = pair.main
        return origin

    def _restore(self, state: MirrorState) -> None:
        pair = self._watch(state.main, state.copy)
        if pair is not None:
            pair.agree, pair.differ, pair.held = state.agree, state.differ, state.held
            pair.is_mirror = True
            self._copies[state.copy] = pair


def describe(state: MirrorState) -> str:
    """One line about a mirror.

    >>> describe(MirrorState("http://a.test", "http://b.test", 12, 0, True, 30))
    'sampled http://b.test: a mirror of http://a.test; 12 of 12 paths agree; 30 URLs held'
    """
    held = f"; {state.held} URLs held" if state.held else ""
    total = state.agree + state.differ
    return (
        f"sampled {state.copy}: a mirror of {state.main}; "
        f"{state.agree} of {total} paths agree{held}"
    )
