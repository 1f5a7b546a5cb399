"""Estimate the worth of each URL, and place it in the queues by that."""

import math
from collections.abc import Iterable, Sequence

from gossamer.analyzers.redundancy.bounded_memory import Recent
from gossamer.analyzers.redundancy.worth.context import names_other_form
from gossamer.analyzers.redundancy.worth.estimate import ALL, OWN, Estimate
from gossamer.analyzers.redundancy.worth.narrowing import narrows
from gossamer.analyzers.redundancy.worth.reassessment import Reassessment, UrlBehind
from gossamer.core.data_formats import is_data
from gossamer.core.records import Candidate, Compared, Visit
from gossamer.core.settings import DetectSettings

LEVELS = 16
"""Levels that a URL can be put behind others of its order."""

_HALF = 30
"""New pairs of words with which a page is worth half as much as one with very many …"""
_OF_ROW = 0.5
"""… and the part of its pairs that does the same for the page of a row, which says no more than its row."""
_LONG, _TENTH = 1000, 0.1
"""Pairs of words that a page has before more is asked of it: a tenth of all that it has beyond. A list in
another order has new pairs where its lines meet, the more the longer it is."""
_DATA = 0.1
"""What an answer for programs is worth that nobody reads here …"""
_DATA_READ = 0.5
"""… and the part of what its text is worth that counts, if that is read."""
_ANOTHER = 0.1
"""What a page is worth at least that is like no other, though all its words were met before."""
_NO_TEXT = 0.5
"""What a page without text, such as a picture, is worth: nobody knows what it shows."""
FEW_WORDS = 12
"""Pairs of words below which a page counts as one without text."""
_PROMISE = 0.05
"""What a new link is worth to the page that has it, of what is expected behind it."""
_ASIDE = 0.1
"""The part of that which counts if the link only adds to the query of the page: the same list, narrowed."""
_STEPS = 4.0
"""Levels for each time that half as much is expected."""
_GOOD_ENOUGH = 1.6
"""How many times less than usual may be expected of a URL that is fetched in its turn."""
_MEMORY = 30
"""Pages of a host over which it is averaged what is usual there …"""
_LONG_MEMORY, _LASTS = 90, 0.3
"""… and the same, at most, for pages that bring less than usual: this part of the pages that were met. So a
host with much junk keeps in mind what its good pages bring, and they come first."""
_WELL_KNOWN = 300
"""Pages of a host after which the best that was ever usual there is what URLs are compared with. Were that to
fall, URLs that wait since better days would come after worse ones that are new."""
_WORTH_A_MOVE = 2
"""Levels by which a URL that waits has to become better, to be moved."""
_USUAL = 0.73
_POOR_HOST = 2
"""A host whose pages bring this many times less than others comes after them as a whole, such as a mirror."""
_MOST_SAMPLES = 5.0
_REMEMBERED = 1 << 12
"""Pages of which it is known what they brought, in case that more comes of them."""


Expected = Sequence[Sequence[float]]
"""Of each URL: what it will bring itself, and with what its links promise."""


class _Usual:
    """The average worth of pages of a host, and the number of samples of poor URLs that are due."""

    __slots__ = ("best", "brought", "pages", "samples")

    def __init__(self) -> None:
        self.brought = _USUAL
        self.best = 0.0
        self.samples = 0.0
        self.pages = 0

    def add(self, brought: float) -> None:
        self.pages += 1
        memory: float = _MEMORY
        if brought < self.brought:
            memory = min(_LONG_MEMORY, max(_MEMORY, _LASTS * self.pages))
        self.brought += (brought - self.brought) / memory
        if self.pages >= _WELL_KNOWN:
            self.best = max(self.best, self.brought)

    @property
    def standard(self) -> float:
        """The value that URLs of the host are compared with."""
        return self.best or self.brought


class _Brought:
    """The new content of one page."""

    __slots__ = ("context", "host", "is_learned", "own", "promised", "url")

    def __init__(self, visit: Visit, context: int, own: float) -> None:
        self.host = visit.url.host
        self.url = visit.url.text.encode("utf-8", "surrogatepass")
        self.context = context
        self.own = own
        self.promised = 0.0
        self.is_learned = False


class Worth:
    """Told of pages by `observe`, of new URLs by `note_new`; says by `shifts` how far behind URLs come."""

    def __init__(self, settings: DetectSettings, state: bytes = b"") -> None:
        self._share = settings.share
        self.estimate = Estimate(state)
        self._everywhere = _Usual()
        self._hosts: Recent[str, _Usual] = Recent(settings.hosts)
        self._pages: Recent[str, _Brought] = Recent(_REMEMBERED)
        self._found: tuple[Sequence[Candidate], Expected] = ((), ())
        """The URLs that were noted last, and what is expected of them."""
        self._fresh: list[_Brought] = []
        """Pages of this turn: their links are yet to come."""
        self._behind = Reassessment()
        self.other_forms: Recent[int, str] = Recent(_REMEMBERED)
        """Keys of URLs that wait behind others as other forms of a page, with the page that says so."""
        self._links: Recent[int, int] = Recent(_REMEMBERED)
        """Those that a reader is led to elsewhere, with that link: they are judged by it."""

    # Learning.

    def observe(self, visit: Visit, own: float) -> None:
        """A page was read, and has so much new content."""
        self.observe_all([(visit, own)])

    def observe_all(self, read: Sequence[tuple[Visit, float]]) -> None:
        """Pages were read, in this order. Of the last one, it is not known yet what its links promise."""
        pages, behind, share = self._pages, self._behind, self._share
        other_forms = self.other_forms if len(self.other_forms) else None
        self._found = (), ()
        for visit, own in read:
            self._learn_fresh()
            url = visit.url
            behind.visited(url.key)
            page = pages[url.text] = _Brought(visit, self._context(visit), own)
            if other_forms is not None:
                other_forms.pop(url.key)
            self._fresh.append(page)
            usual = self._usual(url.host)
            usual.samples = min(_MOST_SAMPLES, usual.samples + share)

    def note_new(self, candidates: Sequence[Candidate]) -> None:
        """URLs were found that nobody knew: that is to the credit of the pages that name them."""
        self._found = candidates, (found := self._expect(candidates))
        source, page, usual = None, None, 0.0
        for candidate, (own, _) in zip(candidates, found, strict=True):
            if candidate.source != source:  # most of them are named by the page of the one before
                source = candidate.source
                page = self._pages.get(source)
                usual = 0.0 if page is None else self._usual_of(page.host)
            if page is not None:
                is_aside = "?" in candidate.source and narrows(candidate.source, candidate.url.text)
                part = _ASIDE if is_aside else 1.0
                page.promised += part * _PROMISE * own * min(1.0, own / usual)
                if page.is_learned:  # its links were looked up later than it was read
                    page.is_learned = False
                    self._fresh.append(page)

    def learn(self) -> None:
        """Learn from the pages of the last turn, now that it is known what their links promise."""
        self._found = (), ()
        self._learn_fresh()

    def _learn_fresh(self) -> None:
        for page in self._fresh:
            if not page.is_learned:
                page.is_learned = True
                brought = min(1.0, page.own + page.promised)
                self._usual(page.host).add(brought)
                self._everywhere.add(brought)
                self.estimate.learn(page.url, page.context, page.own, brought)
        self._fresh.clear()

    # Judging.

    def shifts(self, candidates: Sequence[Candidate | Visit]) -> list[int]:
        """By how many levels each of them comes after what is worth as much as usual on its host."""
        before, found = self._found  # new URLs are placed right after they were noted
        if before is not candidates:
            found = self._expect(candidates)
        usual = self._usual_by_host(candidate.url.host for candidate in candidates)
        return [
            _shift(everything, usual[one.url.host])
            for one, (_, everything) in zip(candidates, found, strict=True)
        ]

    def shift(self, one: Candidate | Visit) -> int:
        """The same for one of them."""
        url = _text(one)
        expected = self.estimate.expect_one(url, self._context(one))[ALL]
        return _shift(expected, self._usual_of(one.url.host))

    def _usual_by_host(self, hosts: Iterable[str]) -> dict[str, float]:
        return {host: self._usual_of(host) for host in dict.fromkeys(hosts)}

    def _usual_of(self, host: str) -> float:
        return max(self._everywhere.brought / _POOR_HOST, self._usual(host).standard)

    def note_behind(self, one: Candidate, wish: int, level: int) -> None:
        """A URL waits at a level behind that of its order."""
        text, key, context = _text(one), one.url.key, self._context(one)
        self._behind.add(UrlBehind(key, text, one.url.host, context, wish, level))
        if names_other_form(context):
            self.other_forms[key] = one.source

    def note_link(self, key: int, context: int) -> None:
        """A reader is led to what another page called its other form: that may be a page like others."""
        self.other_forms.pop(key)
        self._links[key] = context
        self._behind.link(key, context)

    def risen(self) -> tuple[list[int], list[int]]:
        """URLs that wait behind others, of which more is expected by now: their keys and their levels."""
        keys: list[int] = []
        levels: list[int] = []
        some = list(self._behind.due())
        if not some:
            return keys, levels
        found = self.estimate.expect([url.text for url in some], [url.context for url in some])
        usual = self._usual_by_host(url.host for url in some)
        for one, (_, everything) in zip(some, found.tolist(), strict=True):
            level = one.wish + _shift(everything, usual[one.host])
            if level <= one.level - _WORTH_A_MOVE:
                keys.append(one.key)
                levels.append(level)
                one = one._replace(level=level)
            if one.level > one.wish:
                self._behind.add(one)
        return keys, levels

    def takes_sample(self, host: str) -> bool:
        """May a URL of which little is expected be fetched all the same, in its turn?"""
        usual = self._usual(host)
        if usual.samples < 1:
            return False
        usual.samples -= 1
        return True

    def state(self) -> bytes:
        self.learn()
        return self.estimate.dump()

    def _context(self, one: Candidate | Visit) -> int:
        """The link that a URL is judged by."""
        if not self._links:
            return one.context
        return self._links.get(one.url.key) or one.context

    def _expect(self, candidates: Sequence[Candidate | Visit]) -> Expected:
        contexts = (
            map(self._context, candidates)
            if self._links
            else [candidate.context for candidate in candidates]
        )
        found = self.estimate.expect([_text(candidate) for candidate in candidates], list(contexts))
        expected: Expected = found.tolist()  # rows of an array would be made one by one
        return expected

    def _usual(self, host: str) -> _Usual:
        usual = self._hosts.get(host)
        if usual is None:
            usual = self._hosts[host] = _Usual()
        return usual


def _text(one: Candidate | Visit) -> bytes:
    return one.url.text.encode("utf-8", "surrogatepass")


def measure(compared: Compared) -> float:
    """The share of new content on a page, from 0 for none to 1.

    A page that asks not to be found, or names another URL as the one to be found, has none of its own.
    """
    if compared.is_duplicate or not 200 <= compared.document.page.status < 300:
        return 0.0
    document = compared.document
    is_for_programs = is_data(document.media_type, document.url)
    if compared.words < FEW_WORDS:
        without_text = _DATA if is_for_programs else _NO_TEXT
        return without_text if document.page.body and document.is_indexable else 0.0
    if compared.same_text_as is not None:
        return 0.0
    least = _ANOTHER if compared.new_content and compared.similar_to is None else 0.0
    half = min(_HALF, _OF_ROW * compared.words) if compared.is_row else _HALF
    half += _TENTH * max(0, compared.words - _LONG)
    brought = max(least, compared.new_content / (compared.new_content + half))
    return brought * _DATA_READ if is_for_programs else brought


def _shift(expected: float, usual: float) -> int:
    """
    >>> [_shift(expected, 0.8) for expected in (0.9, 0.5, 0.25, 0.1, 0.001)]
    [0, 0, 4, 9, 16]
    """
    less = usual / (_GOOD_ENOUGH * max(expected, 1e-9))
    return min(LEVELS, int(_STEPS * math.log2(less))) if less > 1 else 0


__all__ = ["FEW_WORDS", "LEVELS", "OWN", "Worth", "measure"]
