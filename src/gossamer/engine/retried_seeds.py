"""Seeds that brought no page: they are asked for again when a crawl goes on under other conditions.

A start can fail for a reason that is soon mended: a wrong name server, a private address, a server that was
down. Then there is nothing to go on with but the seeds, which are known already. So those that ended without
a page, and what they redirect to, stay recorded. They get another chance when the crawl had come to its
end, or goes on with other settings for names, requests, permission or scope. A crawl that was only
interrupted goes on as if nothing had happened.
"""

from collections.abc import Collection, Iterable, Sequence

import msgspec
from xxhash import xxh3_64_hexdigest

from gossamer.core.durable import Durable
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Candidate, Page, Via
from gossamer.core.settings import Settings
from gossamer.pipeline.frontier import may_be_done
from gossamer.pipeline.seen import pack, unpack

_BY_ITSELF = frozenset({"finished", "blocked", "on_hold"})
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[bytes]).decode


class UnreachedSeeds(Durable):
    """Seeds without a page, and those that seeds redirect to."""

    name = "stranded"

    def __init__(self, state: bytes = b"") -> None:
        self._candidates: dict[int, Candidate] = {}
        self._news: list[bytes] = []
        """Those that came since the last commit."""
        if state:
            self.replay([state])

    def add(self, candidates: Iterable[Candidate]) -> None:
        for candidate in candidates:
            self._candidates[candidate.url.key] = candidate
            self._news.append(pack(candidate))

    def take(self, seeds: Collection[int]) -> list[Candidate]:
        """Remove all; returns those that are still wanted: what was a seed may no longer be one."""
        found, self._candidates = self._candidates, {}
        return [
            candidate
            for key, candidate in found.items()
            if candidate.via is not Via.SEED or key in seeds
        ]

    def note(self) -> bytes:
        return _encode(self._news) if self._news else b""

    def noted(self) -> None:
        self._news.clear()

    def replay(self, notes: Sequence[bytes]) -> None:
        for candidate in (unpack(packed) for note in notes for packed in _decode(note)):
            self._candidates[candidate.url.key] = candidate

    def checkpoint(self) -> bytes:
        return _encode(list(map(pack, self._candidates.values())))


def is_unreached(page: Page) -> bool:
    """Did a seed, or what it redirects to, bring no page?"""
    has_failed = page.outcome is not Outcome.FETCHED or page.status >= 400
    return has_failed and page.visit.is_home_page and not may_be_done(page)


def has_another_chance(ended_by: str, before: str, after: str) -> bool:
    """Is it worth asking again? This depends on how the crawl ended, and on its settings then and now.

    >>> has_another_chance("interrupted", before="5e", after="5e")
    False
    >>> has_another_chance("finished", before="5e", after="5e")
    True
    """
    return ended_by in _BY_ITSELF or before != after


def manner_of(settings: Settings) -> str:
    """One number for all settings that decide whether a seed can be found, asked and kept."""
    parts = (settings.agent, settings.dns, settings.fetch, settings.robots, settings.scope)
    return xxh3_64_hexdigest(msgspec.msgpack.encode(parts))
