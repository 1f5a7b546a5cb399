"""Hosts that have the same content at the same paths: one is crawled, the others are sampled.

So have folders: `http://b.test/mirror/a/…` may be a mirror of `http://a.test/…`. A host or such a folder is a
*root*: what stands before the path that two pages have in common.
"""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from gossamer.analyzers.redundancy.bounded_memory import Recent
from gossamer.analyzers.redundancy.mirror_roots import common_roots, depth_of, origin_of
from gossamer.analyzers.redundancy.mirrors_abroad import MirrorPort, MirrorsAbroad
from gossamer.analyzers.redundancy.texts_met import Texts
from gossamer.core.settings import DetectSettings
from gossamer.core.url import Url

_MOST_PAIRS = 1000
_MOST_PARTNERS = 4
_FEW = 10
"""Two hosts are mirrors while they differ at no more than one path in this many …"""
_MANY = 5
"""… and are taken for different again when they differ at one in this many."""


class MirrorState(Struct, frozen=True, array_like=True):
    """Two roots at a checkpoint."""

    main: str
    """The root that is crawled."""
    copy: str
    """The one that is sampled, if they are mirrors."""
    agree: int
    differ: int
    is_mirror: bool
    held: int
    is_told: bool = False
    """The copy belongs to another partition, which was told and holds it."""


class Pair:
    """Two roots that have something in common."""

    def __init__(self, main: str, copy: str) -> None:
        self.main, self.copy = main, copy
        self.agree = self.differ = self.held = self.tickets = self.woken = 0
        self.is_mirror = self.was_looked_at = False
        self.is_abroad = False
        """Does the main root belong to another partition, which decides?"""
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
        self.texts = texts
        self._pairs: Recent[tuple[str, str], Pair] = Recent(_MOST_PAIRS)
        self._folder_pairs: Recent[tuple[str, str], Pair] = Recent(_MOST_PAIRS)
        """Those with a folder: however many there are, they are no reason to forget hosts."""
        self.abroad: MirrorsAbroad | None = None
        """Mirrors in other partitions, if there are any."""
        self._partners: Recent[str, list[Pair]] = Recent(2 * _MOST_PAIRS)
        self._copies: dict[str, Pair] = {}
        self._depths: list[int] = []
        """How many folders there are in roots that are no whole hosts."""
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
        if self.abroad is not None:
            first = self._look_abroad(url, said, first)
        if not (first or self._depths or url.origin in self._partners):
            return
        if first and (roots := common_roots(first, url.text)) is not None:
            self._watch(*roots)
        for root in self.roots_of(url):
            for pair in self._partners.get(root) or ():
                if not pair.is_abroad:
                    self._look(pair, root, url.text[len(root) :], said, bool(first))

    def _look_abroad(self, url: Url, said: int, first: str) -> str:
        """Compare a page with those of other partitions; returns `first` if it is a page of this one."""
        assert self.abroad is not None, "there are other partitions"
        if first and self.abroad.is_abroad(first):
            self.abroad.meet(url.text, said, first)
            first = ""
        self.abroad.observe(url, said)
        return first

    def _look(self, pair: Pair, root: str, path: str, said: int, is_known: bool) -> None:
        """Compare a page of one root with that of the other root at the same path."""
        other = pair.main if pair.copy == root else pair.copy
        there = self.texts.said_at(other + path)
        if there is not None:
            self.compare(pair, there == said, said)
        elif not is_known and pair.was_looked_at and pair.copy == root:
            pair.differ += pair.agree  # the main host is done, and has no such page
            self.compare(pair, False, said)

    def roots_of(self, url: Url) -> list[str]:
        """The roots that a URL may belong to, the longest first."""
        if not self._depths:
            return [url.origin]
        text, start = url.text, len(url.origin)
        ends = [start]
        for _ in range(self._depths[-1]):
            end = text.find("/", ends[-1] + 1)
            if end < 0:
                break
            ends.append(end)
        return [text[:end] for end in reversed(ends)]

    @property
    def has_copies(self) -> bool:
        """Is there a host that is only sampled?"""
        return bool(self._copies)

    def pair_of(self, url: Url) -> Pair | None:
        """The pair whose copy a URL belongs to."""
        if not self._depths:
            return self._copies.get(url.origin)
        found = (self._copies.get(root) for root in self.roots_of(url))
        return next((pair for pair in found if pair is not None), None)

    def is_sample(self, url: Url) -> bool:
        return url.key % self._settings.sample_every == 0

    @property
    def can_wake(self) -> bool:
        """Is there a copy that was not looked at again?"""
        return not all(pair.was_looked_at for pair in self._copies.values())

    @property
    def is_undecided(self) -> bool:
        """Does another partition wait for this one to have nothing else left?"""
        return self.abroad is not None and self.abroad.has_pending

    def wake(self) -> None:
        """Nothing else is left: let some of what is held be looked at again."""
        if self.abroad is not None:
            self.abroad.settle()
        for pair in self._copies.values():
            if not pair.was_looked_at:
                pair.was_looked_at = True
                pair.tickets = self._settings.looks

    def states(self) -> list[MirrorState]:
        return [self._state_of(pair) for pair in self.pairs() if pair.is_mirror]

    def _state_of(self, pair: Pair) -> MirrorState:
        is_told = self.abroad is not None and self.abroad.is_abroad(pair.copy)
        return replace(pair.state(), is_told=True) if is_told else pair.state()

    def _kind_of(self, main: str, copy: str) -> Recent[tuple[str, str], Pair]:
        return self._folder_pairs if depth_of(main) or depth_of(copy) else self._pairs

    def _watch(self, main: str, copy: str) -> Pair | None:
        if self.pair_between(main, copy) is None and self._comes_first(copy, main):
            main, copy = copy, main
        return self.watch_roots(main, copy)

    def _comes_first(self, one: str, other: str) -> bool:
        """Is this the one to crawl? With several partitions, all of them must agree about that."""
        if self.abroad is not None:
            return (depth_of(one), len(one), one) < (depth_of(other), len(other), other)
        return self._rank(one) < self._rank(other)

    def _add(self, main: str, copy: str) -> Pair | None:
        lists = [self._partners.get(root) or [] for root in (main, copy)]
        if max(map(len, lists)) >= _MOST_PARTNERS:
            return None
        pair = self._kind_of(main, copy)[min(main, copy), max(main, copy)] = Pair(main, copy)
        self._depths = sorted({*self._depths, *map(depth_of, (main, copy))} - {0})
        for root, partners in zip((main, copy), lists, strict=True):
            self._partners[root] = [*partners, pair]
        return pair

    def _rank(self, root: str) -> tuple[int, int]:
        """A whole host comes before a folder, and then what was met first."""
        depth = depth_of(root)
        return depth, self._met.get(origin_of(root)) or 0

    # Mirrors in other partitions.

    def connect(self, port: MirrorPort) -> None:
        """From now on there are other partitions."""
        self.abroad = MirrorsAbroad(self, port)

    def pairs(self) -> list[Pair]:
        return [*self._pairs.values(), *self._folder_pairs.values()]

    def partners_of(self, root: str) -> list[str]:
        """The roots that a root is compared with."""
        pairs = self._partners.get(root) or ()
        return [pair.main if pair.copy == root else pair.copy for pair in pairs]

    def pair_between(self, main: str, copy: str) -> Pair | None:
        return self._kind_of(main, copy).get((min(main, copy), max(main, copy)))

    def watch_roots(self, main: str, copy: str) -> Pair | None:
        """Watch two roots, of which this is the main one; None if one of them has too many others."""
        return self.pair_between(main, copy) or self._add(main, copy)

    def take_verdict(
        self, main: str, copy: str, agree: int, differ: int, *, is_mirror: bool
    ) -> None:
        """The partition of the main root has decided about a copy of this partition."""
        pair = self.watch_roots(main, copy)
        if pair is None:
            return
        was_mirror, pair.is_mirror = pair.is_mirror, is_mirror
        pair.agree, pair.differ = agree, differ
        if is_mirror:
            self._copies.setdefault(copy, pair)
        elif was_mirror:
            self.has_risen = True
            if self._copies.get(copy) is pair:
                self._release(copy)

    def compare(self, pair: Pair, is_same: bool, said: int) -> None:
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
        if self.abroad is not None and pair.is_mirror != is_mirror:
            self.abroad.decide(pair)

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
        home = self.texts.said_at(pair.main + "/")
        if home is None or home != self.texts.said_at(pair.copy + "/"):
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
        pair = self.watch_roots(state.main, state.copy)
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
