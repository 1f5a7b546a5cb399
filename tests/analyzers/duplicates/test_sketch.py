"""Sketches against the exact Jaccard coefficient."""

import random

import numpy as np
import pytest

from gossamer.analyzers.duplicates.sketch import BANDS, ROWS, Sketch, Sketcher, band_keys, estimate
from gossamer.core.text_words import WordReader
from tests.analyzers.duplicates.exact import jaccard, shingles, signature, similarity
from tests.analyzers.duplicates.texts import edit, prose
from tests.examples import examples

SPREAD = 0.02
"""1024 values have a standard error of 0.016 at the worst; short pages are exact, nearly."""


def sketched(sketcher: Sketcher, text: bytes) -> Sketch:
    return sketcher.sketch(WordReader().read(text, "").numbers)


def pairs(words: int, count: int) -> list[tuple[bytes, bytes, float]]:
    """Texts of so many words, copies that were edited, and how much they are alike, exactly."""
    chance, made = random.Random(words), []
    for seed in range(count):
        text = prose(seed, words)
        copy = edit(text, chance.uniform(0, 0.6), chance)
        made.append((text, copy, jaccard(shingles(text), shingles(copy))))
    return made


@pytest.mark.parametrize(
    ("words", "count"), [(20, 120), (60, 120), (300, 120), (1500, 120), (10_000, examples(120))]
)
def test_the_estimate_is_right_on_average_and_never_far_off(words: int, count: int) -> None:
    sketcher, errors = Sketcher(), []
    for text, copy, truth in pairs(words, count):
        one, other = sketched(sketcher, text), sketched(sketcher, copy)
        errors.append(estimate(one.values, other.values) - truth)
    assert abs(np.mean(errors)) < 0.01
    assert np.sqrt(np.mean(np.square(errors))) < SPREAD
    assert np.max(np.abs(errors)) < 5 * SPREAD


def test_more_values_are_more_exact() -> None:
    made = pairs(3000, 60)

    def spread(size: int) -> float:
        sketcher = Sketcher(size=size)
        errors = [
            estimate(sketched(sketcher, text).values, sketched(sketcher, copy).values) - truth
            for text, copy, truth in made
        ]
        return float(np.sqrt(np.mean(np.square(errors))))

    assert spread(4096) < spread(1024) < spread(64)


def test_the_reference_is_as_good_as_its_values_allow() -> None:
    errors = [
        similarity(signature(text), signature(copy)) - truth for text, copy, truth in pairs(150, 40)
    ]
    assert abs(np.mean(errors)) < 0.02
    assert np.max(np.abs(errors)) < 4 * np.sqrt(0.25 / 200)


def test_like_texts_share_a_band_and_others_do_not() -> None:
    sketcher = Sketcher()
    shared: dict[bool, list[bool]] = {True: [], False: []}
    for words in (40, 300, 2000):
        for text, copy, truth in pairs(words, 200):
            one, other = sketched(sketcher, text).bands, sketched(sketcher, copy).bands
            if truth >= 0.8 or truth < 0.35:
                shared[truth >= 0.8].append(bool((one == other).any()))
    assert np.mean(shared[True]) > 0.97
    assert np.mean(shared[False]) < 0.05


def test_short_pages_have_bands_that_differ() -> None:
    """Empty bins are filled from full ones, but not all from the same."""
    bands = sketched(Sketcher(), prose(1, 12)).bands
    assert len(bands) == BANDS
    assert len(set(bands.tolist())) > BANDS // 2
    assert ROWS * BANDS > 9, "more bins than shingles"


def test_equal_rows_of_different_bands_are_not_mistaken() -> None:
    keys = band_keys(np.full((2, BANDS), 5, np.uint32))
    assert len(set(keys.tolist())) == BANDS
    assert (keys[:BANDS] == keys[BANDS:]).all()


def test_no_words_no_likeness() -> None:
    empty = sketched(Sketcher(), b"three words only")
    assert empty.words == 3
    assert estimate(empty.values, empty.values) == 0.0
    assert sketched(Sketcher(), b"").words == 0


def test_a_long_text_leaves_no_large_arrays_behind() -> None:
    sketcher = Sketcher()
    sketched(sketcher, b"a b " * 2_000_000)
    sketched(sketcher, b"a b c d e")
    assert sketcher._shingles.nbytes <= 1 << 20
