"""The latest version of each page, by all that its visits found."""

import random

import pytest

from gossamer.core import latest_versions
from gossamer.core.latest_versions import LatestRows, VisitFinding


def plainly(visits: list[tuple[int, VisitFinding]]) -> list[int]:
    """The same with a dictionary."""
    versions: dict[int, int] = {}
    gone: set[int] = set()
    for place, (key, found) in enumerate(visits):
        if found is VisitFinding.NOTHING:
            continue
        (gone.add if found is VisitFinding.GONE else gone.discard)(key)
        if found is VisitFinding.VERSION or (found is VisitFinding.SAME and key not in versions):
            versions[key] = place
    return sorted(place for key, place in versions.items() if key not in gone)


@pytest.mark.parametrize("at_once", [1, 7, 1 << 20])
def test_the_same_as_without_haste(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    """However many rows come together before those that no longer count are left out."""
    monkeypatch.setattr(latest_versions, "_AT_ONCE", at_once)
    for seed in range(200):
        chance = random.Random(seed)
        visits = [(chance.randrange(9), chance.choice([*VisitFinding])) for _ in range(seed)]
        rows = LatestRows()
        for start in range(0, len(visits), 5):
            some = visits[start : start + 5]
            rows.add([key for key, _ in some], [found for _, found in some])
        assert rows.places().tolist() == plainly(visits)


def test_what_no_longer_counts_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latest_versions, "_AT_ONCE", 100)
    rows = LatestRows()
    for number in range(1000):
        rows.add([*range(10)], [VisitFinding.VERSION if number % 3 else VisitFinding.GONE] * 10)
        assert len(rows._latest) <= 20
        assert sum(map(len, rows._fresh)) <= 110
    assert len(rows.places()) == 0
