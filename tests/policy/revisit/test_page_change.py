"""What counts as a change of a page, and what does not."""

import pytest

from gossamer.policy.revisit.page_change import ChangeKind, PageComparison
from gossamer.policy.revisit.page_memory import PageMemory
from tests.policy.revisit.visited import visited

URL = "http://a.test/page"
WORDS = [f"word{number}" for number in range(400)]
TEXT = " ".join(WORDS)


def compare(after: str, *, before: str = TEXT, **more: object) -> tuple[ChangeKind, float]:
    compared, memory = PageComparison(minor=0.05), PageMemory()
    compared.remember(visited(URL, 0.0, before, links=("http://a.test/1",)), memory)
    more = {"links": ("http://a.test/1",), **more}
    change = compared.compare(visited(URL, 1.0, after, **more), memory)  # type: ignore[arg-type]
    return change.kind, change.extent


def test_the_same_bytes_are_no_change() -> None:
    assert compare(TEXT) == (ChangeKind.NOTHING, 0.0)


def test_the_word_of_the_server_is_believed() -> None:
    assert compare("", status=304)[0] is ChangeKind.NOTHING


def test_other_markup_is_no_change() -> None:
    assert compare(TEXT, body="<p>" + TEXT)[0] is ChangeKind.MARKUP


@pytest.mark.parametrize(
    "after",
    [
        TEXT.replace("word7 ", "word8 ", 1),
        "Tuesday " + TEXT,
        TEXT + " 1,024 visitors",
    ],
    ids=["a word", "a date", "a counter"],
)
def test_a_few_other_words_are_no_change(after: str) -> None:
    kind, extent = compare(after)
    assert kind is ChangeKind.MINOR
    assert extent <= 0.05


def test_a_new_paragraph_is_a_change() -> None:
    news = " ".join(f"news{number}" for number in range(100))
    kind, extent = compare(f"{news} {TEXT}")
    assert kind is ChangeKind.TEXT
    assert 0.1 < extent < 0.35, "a fifth of the text is new"


def test_another_text_is_a_change_as_a_whole() -> None:
    kind, extent = compare(" ".join(f"other{number}" for number in range(400)))
    assert kind is ChangeKind.TEXT
    assert extent > 0.95


def test_one_more_link_is_a_change() -> None:
    assert compare(TEXT, links=("http://a.test/1", "http://a.test/2"), body="x")[0] is (
        ChangeKind.LINKS
    )


def test_links_in_another_order_are_no_change() -> None:
    compared, memory = PageComparison(minor=0.05), PageMemory()
    links = ("http://a.test/1", "http://a.test/2")
    compared.remember(visited(URL, 0.0, TEXT, links=links), memory)
    after = visited(URL, 1.0, TEXT, links=links[::-1], body="turned round")
    assert compared.compare(after, memory).kind is ChangeKind.MARKUP


def test_numbers_of_a_table_are_a_change() -> None:
    tables = [" ".join(str(7 * number + day) for number in range(200)) for day in range(2)]
    assert compare(tables[1], before=tables[0])[0] is ChangeKind.TEXT


def test_short_pages_are_compared_as_well() -> None:
    assert compare("open", before="closed")[0] is ChangeKind.TEXT
    assert compare("", before="", body="a picture")[0] is ChangeKind.TEXT


def test_what_churns_is_told_from_what_lasts() -> None:
    """A list that grows keeps what was new; a quote of the day does not."""
    quotes = [" ".join(f"quote{day}x{number}" for number in range(120)) for day in range(12)]
    churns, grows = PageMemory(), PageMemory()
    compared = PageComparison(minor=0.05)
    for day in range(12):
        for memory, text in (
            (churns, f"{quotes[day]} {TEXT}"),
            (grows, " ".join([*reversed(quotes[: day + 1]), TEXT])),
        ):
            if not day:
                compared.remember(visited(URL, 0.0, text), memory)
                continue
            change = compared.compare(visited(URL, float(day), text), memory)
            memory.changes += change.is_change
    assert churns.changes >= 10
    assert grows.changes >= 5
    assert churns.lasting < 0.3 < 0.5 < grows.lasting


@pytest.mark.parametrize("items", [2, 3, 5, 10])
def test_a_list_whose_old_items_fall_off_turns_over(items: int) -> None:
    """Each change replaces one of so many items, and leaves the others as they were."""
    memory, compared = PageMemory(), PageComparison(minor=0.05)
    for day in range(60):
        shown = range(day + items, day, -1)
        text = " ".join(f"item{number}x{word}" for number in shown for word in range(40))
        if not day:
            compared.remember(visited(URL, 0.0, text), memory)
            continue
        change = compared.compare(visited(URL, float(day), text), memory)
        memory.changes += change.is_change
    assert memory.changes == 59
    assert memory.lasting == pytest.approx(1 - 1 / items, abs=0.15)
