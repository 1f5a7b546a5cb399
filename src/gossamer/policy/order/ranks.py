"""By a finished ranking of an earlier crawl."""

from pathlib import Path

import numpy as np

from gossamer.core.errors import SettingsError
from gossamer.core.finished_ranks import read_ranks
from gossamer.policy.order.order_protocol import OrderStatistics, Policy
from gossamer.policy.order.policy_batches import Keys, Scores, Waiting


class Ranks(Policy):
    """The page with the highest number in the column `by` comes first; pages that `of` did not know are last.

    It learns nothing, so its ranking is read again when the crawl is resumed.
    """

    def __init__(self, of: str = "", by: str = "pagerank") -> None:
        if not of:
            raise SettingsError("the order ranks needs a crawl that was ranked: ranks:of=DIR")
        self._keys, self._ranks = read_ranks(Path(of), by)

    def score(self, waiting: Waiting) -> Scores:
        return self.worth(waiting.keys)

    def worth(self, keys: Keys) -> Scores:
        if not len(self._keys):
            return np.zeros(len(keys))
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[places] == keys, self._ranks[places], 0.0)

    def statistics(self) -> OrderStatistics:
        return OrderStatistics(pages=len(self._keys))
