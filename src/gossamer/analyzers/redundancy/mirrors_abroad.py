"""Mirrors of which one root belongs to another partition.

The partition of the main root decides. A page that both have, told of by its text or its body, makes them a
pair that both partitions watch. From then on the copy's partition sends what each page of the copy says, as
a path and a number; the other one asks for pages of the copy that were fetched before. It compares them as
it does with its own, and says what it decided; the copy's partition holds the copy's URLs then, and samples
them. So nothing is sent while there are no mirrors.

The main root is not the one that was met first, which nobody knows here, but the one with fewer folders and
then the shorter name: all partitions agree about that, so no circle of copies can come about.
"""

from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec import Struct

from gossamer.analyzers.redundancy.bounded_memory import Recent
from gossamer.analyzers.redundancy.mirror_roots import common_roots, depth_of
from gossamer.core.url import Url, parse

if TYPE_CHECKING:
    from gossamer.analyzers.redundancy.mirror_detection import MirrorDetector, Pair

_MOST_PAIRS = 1000
_MOST_PENDING = 64
"""Pages of a copy without a counterpart that are kept until the main root is done."""

Roots = tuple[str, str]
"""The main root, and the copy."""


class MirrorPort(Protocol):
    """The way to other partitions."""

    def is_own(self, host: str) -> bool: ...

    def send(self, host: str, message: bytes) -> None:
        """Send something to the owner of a host; it arrives exactly once."""


class _Message(Struct, frozen=True, array_like=True, tag_field="kind"):
    main: str
    copy: str


class Watch(_Message, frozen=True, tag="watch"):
    """To the copy's partition: send what its pages say."""


class CopyPage(_Message, frozen=True, tag="page"):
    """To the main root's partition: a page of the copy."""

    path: str
    said: int
    is_last_look: bool
    """Is nothing else left to do there?"""


class PageQuery(_Message, frozen=True, tag="ask"):
    """To the copy's partition: does it know this page already?"""

    path: str


class MirrorDecision(_Message, frozen=True, tag="verdict"):
    """To the copy's partition: hold its URLs, or let them go."""

    is_mirror: bool
    agree: int
    differ: int


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Watch | CopyPage | PageQuery | MirrorDecision).decode


def _sorted(roots: Roots) -> Roots:
    """Two roots, the one to crawl first."""
    main, copy = sorted(roots, key=lambda root: (depth_of(root), len(root), root))
    return main, copy


class MirrorsAbroad:
    """Watches pairs of roots for one partition, with the help of the partition of the other root."""

    def __init__(self, detector: "MirrorDetector", port: MirrorPort) -> None:
        self._detector, self._port = detector, port
        self._watched: Recent[Roots, bool] = Recent(_MOST_PAIRS)
        self._by_root: Recent[str, list[Roots]] = Recent(2 * _MOST_PAIRS)
        self._pending: dict[Roots, list[str]] = {}
        for pair in detector.pairs():
            if not (self._is_own(pair.main) and self._is_own(pair.copy)):
                pair.is_abroad = not self._is_own(pair.main)
                self._note((pair.main, pair.copy))

    def is_abroad(self, url: str) -> bool:
        """Is it a URL of another partition?"""
        return not self._is_own(url)

    def meet(self, url: str, said: int, first: str) -> None:
        """A page of this partition and one of another say the same."""
        roots = common_roots(first, url)
        if roots is None:
            return
        own = roots[1]
        main, copy = _sorted(roots)
        if not self._watch((main, copy)):
            return
        path = url[len(own) :]
        if own == copy:
            self._send_page((main, copy), path, said)
        else:
            self._take_page(CopyPage(main, copy, path, said, is_last_look=False))

    def observe(self, url: Url, said: int) -> None:
        """A page of this partition was read."""
        for root in self._detector.roots_of(url):
            for pair in self._by_root.get(root) or ():
                main, copy = pair
                path = url.text[len(root) :]
                if root == copy and not self._is_own(main):
                    self._send_page(pair, path, said)
                elif root == main and not self._is_own(copy):
                    self._ask(pair, path)

    def decide(self, pair: "Pair") -> None:
        """The partition of the main root has found out about a pair."""
        if self._is_own(pair.main) and not self._is_own(pair.copy):
            verdict = MirrorDecision(pair.main, pair.copy, pair.is_mirror, pair.agree, pair.differ)
            self._send(pair.copy, verdict)

    @property
    def has_pending(self) -> bool:
        """Are there pages of a copy whose counterpart may still come?"""
        return bool(self._pending)

    def settle(self) -> None:
        """Nothing else is left in this partition: a page that was not met by now is not there."""
        pending, self._pending = self._pending, {}
        for (main, copy), paths in pending.items():
            pair = self._detector.pair_between(main, copy)
            for path in paths if pair is not None else ():
                if pair is not None and self._detector.texts.said_at(main + path) is None:
                    pair.differ += pair.agree
                    self._detector.compare(pair, False, 0)

    def take(self, message: bytes) -> None:
        """Take in what another partition says."""
        told = _decode(message)
        if isinstance(told, CopyPage):
            self._take_page(told)
        elif isinstance(told, MirrorDecision):
            self._watch((told.main, told.copy))
            self._detector.take_verdict(
                told.main, told.copy, told.agree, told.differ, is_mirror=told.is_mirror
            )
        elif isinstance(told, Watch):
            self._watch((told.main, told.copy))
        else:
            self._answer((told.main, told.copy), told.path)

    def _take_page(self, page: CopyPage) -> None:
        roots, texts = (page.main, page.copy), self._detector.texts
        if not self._watch(roots):
            return
        pair = self._detector.pair_between(*roots)
        if pair is None or texts.said_at(page.copy + page.path) is not None:
            return
        texts.note(page.copy + page.path, page.said)
        there = texts.said_at(page.main + page.path)
        if there is not None:
            self._detector.compare(pair, there == page.said, page.said)
        elif page.is_last_look:
            pending = self._pending.setdefault(roots, [])
            if len(pending) < _MOST_PENDING:
                pending.append(page.path)

    def _watch(self, roots: Roots) -> bool:
        """Is this pair watched from now on? It is not if one of the two has too many others."""
        if self._watched.get(roots):
            return True
        main, copy = roots
        pair = self._detector.watch_roots(main, copy)
        if pair is None:
            return False
        self._note(roots)
        if self._is_own(main):
            self._send(copy, Watch(main, copy))
        else:
            pair.is_abroad = True
            self._answer(roots, "/")
        own, foreign = (main, copy) if self._is_own(main) else (copy, main)
        for other in self._detector.partners_of(own):
            if self._is_own(other):
                self._watch(_sorted((foreign, other)))  # a text leads to the first of three only
        return True

    def _note(self, roots: Roots) -> None:
        self._watched[roots] = True
        for root in roots:
            known = self._by_root.get(root) or []
            if roots not in known:  # `_watched` may have forgotten it
                self._by_root[root] = [*known, roots]

    def _ask(self, roots: Roots, path: str) -> None:
        """Ask for a page of the copy that may have been fetched before, as long as nothing is decided."""
        pair = self._detector.pair_between(*roots)
        is_open = pair is not None and not pair.is_mirror
        if is_open and self._detector.texts.said_at(roots[1] + path) is None:
            self._send(roots[1], PageQuery(*roots, path))

    def _answer(self, roots: Roots, path: str) -> None:
        """Send a page of the copy, if it was read."""
        said = self._detector.texts.said_at(roots[1] + path)
        if said is not None:
            self._send_page(roots, path, said)

    def _send_page(self, roots: Roots, path: str, said: int) -> None:
        pair = self._detector.pair_between(*roots)
        is_last_look = pair is not None and pair.was_looked_at
        self._send(roots[0], CopyPage(*roots, path, said, is_last_look))

    def _send(self, root: str, message: Watch | CopyPage | PageQuery | MirrorDecision) -> None:
        url = parse(root + "/")
        if url is not None:
            self._port.send(url.host, _encode(message))

    def _is_own(self, root: str) -> bool:
        url = parse(root + "/")
        return url is None or self._port.is_own(url.host)
