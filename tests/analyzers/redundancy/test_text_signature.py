"""What two pages must have in common to say the same."""

from gossamer.analyzers.redundancy.text_signature import read_said
from tests.pipeline.scope.scope_pages import kept, prose

A = "http://a.test"


def test_case_spaces_and_punctuation_do_not_matter() -> None:
    one = read_said(kept(f"{A}/1", "Hello, wide world of pages"))
    assert one == read_said(kept(f"{A}/2", "hello wide   WORLD of (pages)!"))


def test_numbers_matter_for_one_print_only() -> None:
    one = read_said(kept(f"{A}/x", "There are 12 events in this month"))
    other = read_said(kept(f"{A}/x", "There are 99 events in this month"))
    assert one.exact != other.exact
    assert one.masked == other.masked


def test_the_name_that_was_asked_for_is_masked() -> None:
    one = read_said(kept(f"{A}/lost/1a2b3c.html", "Sorry, /lost/1a2b3c.html is not here any more"))
    other = read_said(kept(f"{A}/gone-fishing", "Sorry, /gone-fishing is not here any more"))
    assert one.masked == other.masked != 0


def test_too_little_text_says_nothing() -> None:
    assert read_said(kept(f"{A}/x", "Hi")) == (0, 0)


def test_different_text_is_different() -> None:
    prints = {read_said(kept(f"{A}/x", prose(number))).masked for number in range(1000)}
    assert len(prints) > 900
