"""What is learned of URLs: which clue takes the blame, what carries over, what survives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.analyzers.redundancy.worth import Estimate, pack_context
from gossamer.analyzers.redundancy.worth.clues import KINDS, MOST, make_room, read_clues
from gossamer.analyzers.redundancy.worth.estimate import ALL, OWN
from gossamer.core.records import LinkKind

WIKI = "http://wiki.test"


def expect(estimate: Estimate, url: str, context: int = 0, what: int = OWN) -> float:
    return float(estimate.expect([url.encode()], [context])[0, what])


def learn(estimate: Estimate, url: str, brought: float, context: int = 0) -> None:
    estimate.learn(url.encode(), context, brought, brought)


def clues(url: bytes, context: int = 0) -> list[tuple[int, int]]:
    numbers, marks = make_room()
    text = np.frombuffer(url, np.uint8)
    count, _ = read_clues(text, 0, len(url), np.uint64(context), numbers, marks)
    return [(int(marks[KINDS, at]), int(numbers[at])) for at in range(count)]


@pytest.mark.parametrize(
    ("page", "action"),
    [
        ("/doku.php?id=page{}", "/doku.php?id=page{}&do=edit"),
        ("/index.php/Page_{}", "/index.php?title=Page_{};action=edit"),
        ("/topic/{}.html", "/topic/{}.html?sort=up"),
        ("/post-{}/", "/post-{}/feed/"),
        ("/repo/commit/?id=ab{}cdef12345", "/repo/diff/?id=ab{}cdef12345"),
    ],
)
def test_the_action_takes_the_blame_and_not_the_page(page: str, action: str) -> None:
    estimate = Estimate()
    for number in range(20):
        learn(estimate, WIKI + page.format(number), 0.9)
        learn(estimate, WIKI + action.format(number), 0.0)
    assert expect(estimate, WIKI + page.format(77)) > 0.7
    assert expect(estimate, WIKI + action.format(77)) < 0.2


def test_pages_of_a_new_host_are_judged_by_what_is_known_of_all() -> None:
    estimate = Estimate()
    for host in range(10):
        learn(estimate, f"http://{host}.test/page", 0.9)
        learn(estimate, f"http://{host}.test/page?action=edit", 0.0)
    assert expect(estimate, "http://new.test/page?action=edit") < expect(
        estimate, "http://new.test/page"
    )


def test_what_is_bad_on_one_host_may_be_good_on_another() -> None:
    estimate = Estimate()
    for number in range(30):
        learn(estimate, f"http://bad.test/x?view={number}", 0.0)
        learn(estimate, f"http://good.test/x?view={number}", 1.0)
    assert expect(estimate, "http://bad.test/x?view=99") < 0.2
    assert expect(estimate, "http://good.test/x?view=99") > 0.8


def test_the_link_tells_pages_of_one_pattern_apart() -> None:
    estimate = Estimate()
    read_on = pack_context(LinkKind.ANCHOR, "", "main", "Read on", 1)
    permalink = pack_context(LinkKind.ANCHOR, "", "main", "Permalink", 1)
    for number in range(30):
        learn(estimate, f"{WIKI}/?p={number}", 1.0, read_on)
        learn(estimate, f"{WIKI}/?p={number}0", 0.0, permalink)
    assert expect(estimate, f"{WIKI}/?p=99", read_on) > 0.6
    assert expect(estimate, f"{WIKI}/?p=99", permalink) < 0.4


def test_another_form_of_a_page_is_worth_less_from_the_start() -> None:
    estimate = Estimate()
    anchor, other = (
        pack_context(kind, "", "", "", 0) for kind in (LinkKind.ANCHOR, LinkKind.ALTERNATE)
    )
    assert expect(estimate, f"{WIKI}/a", other, ALL) < 0.2 < expect(estimate, f"{WIKI}/a", anchor)
    language = pack_context(LinkKind.TRANSLATION, "alternate", "", "", 0)
    assert expect(estimate, f"{WIKI}/a", language, ALL) > 0.5, "another language is another page"


def test_one_page_alone_decides_nothing() -> None:
    estimate = Estimate()
    learn(estimate, f"{WIKI}/a?b=1", 0.0)
    assert expect(estimate, f"{WIKI}/c") > 0.4


def test_what_was_learned_survives() -> None:
    estimate = Estimate()
    for number in range(9):
        learn(estimate, f"{WIKI}/a?b={number}", 0.0)
    again = Estimate(estimate.dump())  # of clues that were met once, nothing is kept
    assert expect(again, f"{WIKI}/a?b=99") == expect(estimate, f"{WIKI}/a?b=99")
    assert again.dump() == estimate.dump()
    learn(estimate, f"{WIKI}/a?b=10", 0.5)
    learn(again, f"{WIKI}/a?b=10", 0.5)
    assert again.dump() == estimate.dump()


def test_the_order_of_parameters_makes_no_difference_to_the_pattern() -> None:
    def of(url: str) -> set[tuple[int, int]]:
        return set(clues(url.encode()))

    assert of("http://a.test/x?b=1&c=2") == of("http://a.test/x?c=2&b=1")
    assert of("http://a.test/x?b=1;c=2") == of("http://a.test/x?b=1&c=2")


@given(st.binary(max_size=300), st.integers(0, 2**64 - 1))
def test_whatever_a_url_is_it_has_clues(path: bytes, context: int) -> None:
    found = clues(b"http://a.test/" + path, context)
    assert 0 < len(found) <= MOST
    assert found == clues(b"http://a.test/" + path, context)


def test_reasons_name_the_words_of_the_url() -> None:
    estimate = Estimate()
    for number in range(20):
        learn(estimate, f"{WIKI}/page?id={number}&do=edit", 0.0)
        learn(estimate, f"{WIKI}/page?id={number}", 1.0)
    worst = min(estimate.reasons(f"{WIKI}/page?id=5&do=edit".encode()), key=lambda one: one.weight)
    assert "do" in worst.words
    assert worst.tries == 20
    assert worst.mean == 0.0
