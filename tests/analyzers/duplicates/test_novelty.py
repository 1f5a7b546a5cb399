"""How much of a page is new on its host."""

import numpy as np

from gossamer.analyzers.duplicates.novelty import Novelty
from gossamer.core.text_words import WordReader

A, B = 1, 2
SPREAD = np.uint64(0x9E3779B97F4A7C15)


def count(
    novelty: Novelty, text: str, host: int = A, *, is_content: bool = True
) -> tuple[int, ...]:
    found = novelty.count(WordReader().read(text.encode(), "").numbers, host, is_content=is_content)
    return found.pairs, found.new, found.fresh


def test_a_text_is_new_once() -> None:
    novelty = Novelty(1 << 20)
    assert count(novelty, "the quick brown fox") == (3, 3, 3)
    assert count(novelty, "the quick brown fox") == (3, 0, 0)
    assert count(novelty, "The QUICK, brown: fox!") == (3, 0, 0)


def test_hosts_are_apart() -> None:
    novelty = Novelty(1 << 20)
    count(novelty, "the quick brown fox")
    assert count(novelty, "the quick brown fox", B) == (3, 3, 3)


def test_numbers_are_words() -> None:
    novelty = Novelty(1 << 20)
    count(novelty, "measured 17 18 19")
    assert count(novelty, "measured 20 21 22")[1] == 3
    assert count(novelty, "measured 17 18 22")[1] == 1


def test_what_is_not_meant_to_be_found_takes_nothing_away() -> None:
    """An edit form that is fetched before its page."""
    novelty = Novelty(1 << 20)
    assert count(novelty, "edit this: the quick brown fox", is_content=False)[1] == 5
    assert count(novelty, "the quick brown fox") == (3, 0, 3)
    assert count(novelty, "edit this: the quick brown fox", is_content=False)[1:] == (0, 2)


def test_a_word_or_none_is_no_pair() -> None:
    novelty = Novelty(1 << 20)
    assert count(novelty, "") == (0, 0, 0)
    assert count(novelty, "alone") == (0, 0, 0)


def test_a_table_that_is_far_from_full_forgets_hardly_anything() -> None:
    """Each pair had one place, and the next one that fell there took it: a fifth of these were lost."""
    pages = np.arange(1_000_000, dtype=np.uint64).reshape(-1, 1000) * SPREAD
    novelty = Novelty(16 << 20)
    for page in pages:
        novelty.count(page, A, is_content=True)
    again = sum(novelty.count(page, A, is_content=True).new for page in pages)
    assert again < 0.03 * pages.size


def test_the_table_grows_with_what_was_met_and_is_bounded() -> None:
    novelty, sizes = Novelty(4 << 20), []
    for number in range(20):
        page = np.arange(number * 100_000, (number + 1) * 100_000, dtype=np.uint64) * SPREAD
        novelty.count(page, A, is_content=True)
        sizes.append(novelty.memory)
    assert (sizes[0], sizes[-1]) == (1 << 20, 4 << 20)
    assert sizes == sorted(sizes)
    assert novelty.count(page, A, is_content=True).new < 0.1 * len(page), "the last ones are there"
    first = np.arange(100_000, dtype=np.uint64) * SPREAD
    assert novelty.count(first, A, is_content=True).new > 0.5 * len(first), "and the first are not"


def single_out(novelty: Novelty, text: str, *, is_singled_out: bool = True) -> int:
    words = WordReader().read(text.encode(), "").numbers
    return novelty.count(words, A, is_content=True, is_singled_out=is_singled_out).listed


def test_what_a_long_list_mentioned_counts_on_a_page_of_its_own_once() -> None:
    novelty = Novelty(1 << 20)
    rows = [f"row{number} amber falcon{number} of the north" for number in range(40)]
    count(novelty, " ".join(rows))
    assert single_out(novelty, rows[7], is_singled_out=False) == 0
    assert single_out(novelty, rows[7]) == 5
    assert single_out(novelty, rows[7]) == 0, "another form of that page"
    assert single_out(novelty, " ".join(rows[10:30])) == 0, "another list, nearly as long"
