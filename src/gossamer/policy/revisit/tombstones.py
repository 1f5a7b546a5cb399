"""Pages that were given up: since when, why, and when a link may bring them back.

A page that its server called gone (404, 410) so often that it was given up is not due any more. It is
visited once more when it is named again: by a page that has other links than before, a sitemap, a feed, an
announcement, a seed or a command. Links that stay on their pages must not bring it back at each visit of
these. So links bring it back after a pause only, which doubles each time the page is given up again.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from gossamer.core.records import Candidate, Via

_PAUSE = 1.0
"""Days after which a link may bring back a page that was given up once …"""
_LONGEST = 10
"""… and how often that is doubled at most."""
_MOST = 200_000
"""Pages that are remembered; of more, those that were given up first are forgotten, and stay away."""


class Tombstone(NamedTuple):
    times: int
    """How often the page was given up in a row."""
    day: float
    """When it was given up, or visited once more, last."""
    status: int


class Tombstones:
    """Pages that were given up, by the keys of their URLs.

    >>> from gossamer.core.url import parse
    >>> stones, page = Tombstones(), Candidate(parse("http://a.test/gone"))
    >>> stones.bury(page.url.key, 10.0, 404)
    >>> [len(stones.named([replace(page, via=Via.LINK)], day)) for day in (10.5, 11.5, 11.6)]
    [0, 1, 0]
    """

    def __init__(self, state: bytes = b"") -> None:
        self.known: dict[int, Tombstone] = _decode(state) if state else {}
        self._news: set[int] = set()

    def __len__(self) -> int:
        return len(self.known)

    def __contains__(self, key: int) -> bool:
        return key in self.known

    def bury(self, key: int, day: float, status: int) -> None:
        """A page was given up, maybe not for the first time."""
        before = self.known.pop(key, None)
        self._keep(key, Tombstone(before.times + 1 if before else 1, day, status))
        if len(self.known) > _MOST:
            self.raise_up(next(iter(self.known)))

    def raise_up(self, key: int) -> None:
        """The page is there again."""
        if self.known.pop(key, None) is not None:
            self._news.add(key)

    def named(self, candidates: Iterable[Candidate], day: float) -> list[Candidate]:
        """Return the candidates that were given up and may be visited once more."""
        back = []
        for candidate in candidates:
            stone = self.known.get(candidate.url.key)
            if stone is not None and (candidate.via is Via.SEED or day >= _end_of_pause(stone)):
                self._keep(candidate.url.key, stone._replace(day=day))
                back.append(replace(candidate, via=Via.PUSH, memory=b""))
        return back

    def _keep(self, key: int, stone: Tombstone) -> None:
        self.known[key] = stone
        self._news.add(key)

    # Recorded.

    def dump(self) -> bytes:
        return _encode(self.known) if self.known else b""

    def news(self) -> bytes:
        """Return the note for the journal: pages that were given up, and 0 for those that are back."""
        return _encode({key: self.known.get(key) for key in self._news}) if self._news else b""

    def noted(self) -> None:
        self._news.clear()

    def take(self, notes: Sequence[bytes]) -> None:
        for note in filter(None, notes):
            for key, stone in _decode_news(note).items():
                self.known.pop(key, None)
                if stone is not None:
                    self.known[key] = stone


def _end_of_pause(stone: Tombstone) -> float:
    return stone.day + _PAUSE * 2.0 ** min(stone.times - 1, _LONGEST)


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(dict[int, Tombstone]).decode
_decode_news = msgspec.msgpack.Decoder(dict[int, Tombstone | None]).decode
