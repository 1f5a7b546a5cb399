"""Precision and recall, where the truth is the exact Jaccard coefficient of the sets of shingles."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import Struct

from gossamer.analyzers.duplicates.content_seen import Content
from gossamer.core.records import Similar
from tests.analyzers.duplicates.exact import jaccard, shingles
from tests.analyzers.duplicates.texts import MANUALS, document, edit, manual_pages, simulated_pages
from tests.examples import examples
from tests.needs import needs

THRESHOLD = 0.8
COPIES = 6


class Score(Struct):
    right: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed)


def score(folder: Path, texts: Sequence[bytes]) -> Score:
    """Judge all texts, then copies of each: words replaced or inserted, parts left out, other frames.

    Copies are alike to their originals from hardly to completely, so that there are many on both sides of
    the threshold and right at it.
    """
    content, chance, known, total = Content(folder), random.Random(8), {}, Score()
    for number, text in enumerate(texts):
        url = f"http://first.test/{number}"
        known[url] = shingles(text)
        content.judge([document(url, text)])
    for number, text in enumerate(texts):
        original = f"http://first.test/{number}"
        for copy in range(COPIES):
            url, changed = (
                f"http://copy.test/{number}/{copy}",
                edit(text, _strength(chance), chance),
            )
            known[url] = shingles(changed)
            [kept] = content.judge([document(url, changed)])
            if not kept.is_duplicate:  # an edit that changed nothing
                _count(total, kept.similar_to, known, url, original)
    return total


def _strength(chance: random.Random) -> float:
    return chance.uniform(0.0, 0.45)


def _count(
    total: Score,
    found: Similar | None,
    known: dict[str, set[tuple[bytes, ...]]],
    url: str,
    original: str,
) -> None:
    if found is None:
        total.missed += jaccard(known[url], known[original]) >= THRESHOLD
    elif jaccard(known[url], known[found.original.url]) >= THRESHOLD:
        total.right += 1
    else:
        total.wrong += 1


def test_pages_of_the_simulated_web(tmp_path: Path) -> None:
    pages = examples(200)
    result = score(tmp_path, list(simulated_pages(pages)))
    assert result.right > pages
    assert result.precision >= 0.95, result
    assert result.recall >= 0.95, result


@pytest.mark.parametrize("manual", MANUALS, ids=lambda path: path.parts[4])
def test_pages_of_a_manual(tmp_path: Path, manual: Path) -> None:
    if not manual.is_dir():
        pytest.skip(needs("manuals", f"{manual} is not installed"))
    result = score(tmp_path, list(manual_pages(manual, 120)))
    assert result.right > 200
    assert result.precision >= 0.95, result
    assert result.recall >= 0.95, result
