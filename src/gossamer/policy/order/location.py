"""Location IL: what a URL alone tells (Cho et al. 1998, section 2)."""

import numpy as np

from gossamer.policy.order.order_protocol import Policy
from gossamer.policy.order.policy_batches import Needs, Scores, Waiting


class Location(Policy):
    """Few slashes, a liked ending of the host (`.edu`), a liked word anywhere (`home`).

    >>> order = Location(suffixes=(".edu",), words=("home",))
    >>> urls = ["http://a.edu/home/x", "http://a.com/home/x", "http://a.com/x/y/z"]
    >>> order.score(Waiting(np.zeros(3, np.uint64), np.zeros(3, int), urls=urls)).round(2).tolist()
    [1.8, 0.8, -0.3]
    """

    needs = Needs.WORDS

    def __init__(
        self, slashes: float = 0.1, suffixes: tuple[str, ...] = (), words: tuple[str, ...] = ()
    ) -> None:
        self._slash = slashes
        self._suffixes = tuple(suffix.lower() for suffix in suffixes)
        self._words = tuple(word.lower() for word in words)

    def score(self, waiting: Waiting) -> Scores:
        return np.array([self._rate(url.lower()) for url in waiting.urls], np.float64)

    def _rate(self, url: str) -> float:
        """A slash costs `slashes`; a liked ending and a liked word bring 1 each."""
        authority, _, path = url.partition("//")[2].partition("/")
        host = authority.rpartition("@")[2].partition(":")[0]
        score = -self._slash * (1 + path.count("/"))
        if self._suffixes and host.endswith(self._suffixes):
            score += 1.0
        return score + 1.0 if any(word in url for word in self._words) else score
