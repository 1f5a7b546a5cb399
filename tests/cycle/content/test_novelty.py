"""How much of a page is new on its host."""

from gossamer.base.words import WordReader
from gossamer.cycle.content.novelty import Novelty

A, B = 1, 2


def count(
    novelty: Novelty, text: str, host: int = A, *, is_content: bool = True
) -> tuple[int, int, int]:
    return novelty.count(WordReader().read(text.encode(), "").numbers, host, is_content=is_content)


def test_a_text_is_new_once() -> None:
    novelty = Novelty(1 << 16)
    assert count(novelty, "the quick brown fox") == (3, 3, 3)
    assert count(novelty, "the quick brown fox") == (3, 0, 0)
    assert count(novelty, "The QUICK, brown: fox!") == (3, 0, 0)


def test_hosts_are_apart() -> None:
    novelty = Novelty(1 << 16)
    count(novelty, "the quick brown fox")
    assert count(novelty, "the quick brown fox", B) == (3, 3, 3)


def test_numbers_are_words() -> None:
    novelty = Novelty(1 << 16)
    count(novelty, "measured 17 18 19")
    assert count(novelty, "measured 20 21 22")[1] == 3
    assert count(novelty, "measured 17 18 22")[1] == 1


def test_what_is_not_meant_to_be_found_takes_nothing_away() -> None:
    """An edit form that is fetched before its page."""
    novelty = Novelty(1 << 16)
    assert count(novelty, "edit this: the quick brown fox", is_content=False)[1] == 5
    assert count(novelty, "the quick brown fox") == (3, 0, 3)
    assert count(novelty, "edit this: the quick brown fox", is_content=False)[1:] == (0, 2)


def test_a_word_or_none_is_no_pair() -> None:
    novelty = Novelty(1 << 16)
    assert count(novelty, "") == (0, 0, 0)
    assert count(novelty, "alone") == (0, 0, 0)


def test_memory_is_bounded_and_what_was_long_ago_may_be_forgotten() -> None:
    novelty = Novelty(4 << 10)  # a thousand pairs
    for number in range(100):
        count(novelty, " ".join(f"w{number}x{at}" for at in range(100)))
    assert count(novelty, " ".join(f"w99x{at}" for at in range(100)))[1] < 50
    assert count(novelty, " ".join(f"w0x{at}" for at in range(100)))[1] > 80
