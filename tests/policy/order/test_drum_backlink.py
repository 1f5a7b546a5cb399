from pathlib import Path

import numpy as np
import pytest

from gossamer.policy.order import Crawled, Keys, Policy, Waiting
from gossamer.policy.order.backlinks import Backlinks
from gossamer.policy.order.drum_backlink import DrumBacklinks

PAGES = 30_000


class Scores:
    """What a crawl at random tells a policy, and the scores that came of it."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._met = {0}
        self.waiting = [0]
        self.told: dict[int, float] = {}

    def step(self, policy: Policy) -> None:
        count = min(len(self.waiting), 50)
        pages, self.waiting = self.waiting[:count], self.waiting[count:]
        targets = [
            (PAGES * self._random.random(self._random.integers(0, 30)) ** 3).astype(np.uint64)
            for _ in pages
        ]
        offsets = np.cumsum([0, *map(len, targets)])
        joined = np.concatenate(targets)
        policy.learn(Crawled(np.array(pages, np.uint64), offsets, joined))
        new = [key for key in dict.fromkeys(joined.tolist()) if key not in self._met]
        self._met.update(new)
        keys = np.array(new, np.uint64)
        self._tell(keys, policy.score(Waiting(keys, np.ones(len(keys), np.int64))))
        self.waiting += new
        self.hear(policy)

    def hear(self, policy: Policy) -> None:
        revised = policy.revised()
        self._tell(revised.keys, revised.scores)

    def _tell(self, keys: Keys, scores: np.ndarray) -> None:
        self.told.update(zip(keys.tolist(), scores.tolist(), strict=True))

    def of_waiting(self) -> dict[int, float]:
        return {key: self.told[key] for key in self.waiting}


def test_in_memory_it_is_the_same_order(tmp_path: Path) -> None:
    crawls = [(Scores(1), Backlinks()), (Scores(1), DrumBacklinks(tmp_path))]
    for _ in range(40):
        for scores, policy in crawls:
            scores.step(policy)
        assert crawls[0][0].told == crawls[1][0].told


@pytest.mark.parametrize("seed", [2, 3])
def test_on_disk_all_counts_are_told_in_the_end(tmp_path: Path, seed: int) -> None:
    exact, late = Scores(seed), Scores(seed)
    memory, disk = Backlinks(), DrumBacklinks(tmp_path, memory=1 << 20)
    for number in range(200):
        exact.step(memory)
        late.step(disk)
        if number == 100:  # it goes on from a checkpoint
            late.hear(disk)
            state = disk.dump()
            disk.checkpoint_published()
            disk.close()
            disk = DrumBacklinks(tmp_path, memory=1 << 20)
            disk.load(state)
    disk.merge()
    late.hear(disk)
    assert late.of_waiting() == exact.of_waiting()
    assert max(late.of_waiting().values()) > 3
