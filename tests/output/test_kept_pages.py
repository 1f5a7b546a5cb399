"""Which captures give way, when pages are visited again."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gossamer.output.kept_pages import Chosen, Stored
from gossamer.output.warc_file import RecordPlace


def store(*captures: tuple[int, int, bool], bad: Sequence[int] = ()) -> Stored:
    """Each with its key, the number of its file, and whether it leans on the one before; offsets ascend."""
    stored = Stored()
    for place, (key, file, leans) in enumerate(captures):
        where = RecordPlace(f"gossamer-20250101000000-00000-{file:05}.warc.gz", place, 80)
        stored.add(key, where, is_good=place not in bad, leans=leans)
    return stored


def worth_of_keys(keys: NDArray[np.uint64]) -> NDArray[np.float64]:
    """The greater the key, the more valuable."""
    return keys.astype(np.float64)


def goners(chosen: Chosen) -> set[int]:
    return {offset for some in chosen.offsets.values() for offset in some}


def test_a_page_that_did_not_change_counts_once() -> None:
    stored = store((1, 0, False), (2, 0, False), (1, 0, True), (1, 0, True), (2, 0, True))
    assert len(stored) == 2
    assert goners(stored.choose(worth_of_keys, keep=2)) == set()


def test_pointers_go_with_the_response_they_lead_to() -> None:
    stored = store((1, 0, False), (2, 0, False), (1, 0, True), (2, 1, True), (1, 1, True))
    assert goners(stored.choose(worth_of_keys, keep=1)) == {0, 2, 4}


def test_older_versions_go_before_any_page_does() -> None:
    stored = store((2, 0, False), (2, 0, True), (1, 0, False), (2, 0, False), (2, 0, True))
    assert goners(stored.choose(worth_of_keys, keep=2)) == {0, 1}
    assert goners(stored.choose(worth_of_keys, keep=1)) == {0, 1, 2}


def test_what_is_no_success_goes_first_and_makes_no_version_an_older_one() -> None:
    stored = store((2, 0, False), (1, 0, False), (2, 0, False), bad=[2])
    assert goners(stored.choose(worth_of_keys, keep=2)) == {2}
    assert goners(stored.choose(worth_of_keys, keep=1)) == {1, 2}


def test_a_response_stays_while_a_pointer_to_it_does() -> None:
    """Not every file is written again at once."""
    stored = store((1, 0, False), (2, 0, False), (1, 1, True), (3, 1, False))
    chosen = stored.choose(worth_of_keys, keep=1)
    assert goners(chosen) == {0, 1, 2}
    only_first = Chosen({0: chosen.offsets[0]}, chosen.shares)
    assert goners(stored.without_torn(only_first)) == {1}


def test_a_pointer_that_came_after_its_response_had_gone_goes_too() -> None:
    stored = store((1, 0, False), (2, 0, False), (3, 0, False))
    stored.move({(0, 0): None})
    where = RecordPlace("gossamer-20250101000000-00000-00000.warc.gz", 7, 80)
    stored.add(1, where, is_good=True, leans=True)
    assert len(stored) == 2
    assert goners(stored.choose(worth_of_keys, keep=1)) == {1, 7}
