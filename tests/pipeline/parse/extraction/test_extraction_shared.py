"""What many pages of a host share is none of their main text; what only looks like that, is."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.core.extracted_page import Reading
from gossamer.pipeline.parse.extraction import compare_readings, leave_out_shared, shared

PLEA = "Please subscribe to our letter, which comes every week and costs you nothing at all."
WORDS = [
    "harbour",
    "lantern",
    "meadow",
    "copper",
    "violet",
    "thunder",
    "marble",
    "canyon",
    "ribbon",
    "saddle",
    "orchard",
    "pepper",
]


def said(number: int, lines: int = 4) -> str:
    """Lines that no other page has."""
    return "\n".join(
        " ".join(WORDS[(number * 7 + line * 5 + place * (number + 2)) % 12] for place in range(9))
        + f" in the year {1000 + number * 10 + line}"
        for line in range(lines)
    )


def read(*texts: str, host: str = "a.test", media_type: str = "text/html") -> list[str]:
    pages = [
        Reading(f"http://{host}/{number}", media_type, main_text=text, text=text)
        for number, text in enumerate(texts)
    ]
    found = leave_out_shared(pages)
    assert [one.text for one in found] == list(texts), "all text stays all text"
    return [one.main_text for one in found]


def test_any_number_of_pages_is_compared_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "_MOST_PAGES", 6)
    texts = [f"{said(number)}\n{PLEA}" for number in range(15)]
    taken = []

    def readings() -> Iterator[Reading]:
        for number, text in enumerate(texts):
            taken.append(number)
            yield Reading(f"http://a.test/{number}", "text/html", main_text=text, text=text)

    found = compare_readings(readings())
    first = next(found)
    assert (first.main_text, len(taken)) == (said(0), 6), "the others are not in memory"
    mains = [first.main_text, *(one.main_text for one in found)]
    assert mains[:12] == [said(number) for number in range(12)]
    assert mains[12:] == texts[12:], "three are too few to tell"


def test_a_line_that_all_pages_have_is_left_out() -> None:
    texts = [f"{said(number)}\n{PLEA}\n{said(number + 50)}" for number in range(6)]
    assert read(*texts) == [f"{said(number)}\n{said(number + 50)}" for number in range(6)]


@pytest.mark.parametrize(
    "texts",
    [
        [f"{said(number)}\n{PLEA}" for number in range(4)],
        [f"{said(number)}\n{PLEA if number < 5 else ''}" for number in range(12)],
        [f"{said(number)}\n{PLEA}" if number == 3 else said(number) for number in range(9)],
    ],
    ids=["a small site", "a part of the pages", "one page"],
)
def test_what_few_pages_share_stays(texts: list[str]) -> None:
    assert read(*texts) == texts


def test_a_refrain_counts_once_for_its_poem() -> None:
    poem = "\n".join(f"{said(line, 1)}\n{PLEA}" for line in range(9))
    texts = [poem, *(said(number) for number in range(20, 28))]
    assert read(*texts) == texts


def test_headings_cells_and_entries_of_lists_stay() -> None:
    table = "yes\nno\nSee also\nReturn value\nnot available in this version\n0.5 0.7 0.9"
    texts = [f"{said(number)}\n{table}" for number in range(9)]
    assert read(*texts) == texts


def test_a_licence_that_is_all_there_is_stays() -> None:
    licence = said(99, 30)
    texts = [f"Package {number}\n{licence}" for number in range(9)]
    assert read(*texts) == texts


def test_copies_and_old_versions_are_no_evidence() -> None:
    texts = [said(1, 12)] * 9 + [said(number) for number in range(20, 24)]
    assert read(*texts) == texts
    versions = [f"{said(1, 12)}\n{said(number, 1)}" for number in range(50, 60)]
    assert read(*versions) == versions


def test_other_hosts_and_other_kinds_of_documents_are_none() -> None:
    pages = [
        Reading(f"http://{number}.test/", "text/html", main_text=f"{said(number)}\n{PLEA}")
        for number in range(9)
    ]
    assert leave_out_shared(pages) == pages
    texts = [f"{said(number)}\n{PLEA}" for number in range(9)]
    assert read(*texts, media_type="text/plain") == texts


_WORDS = st.sampled_from(
    [
        "word",
        "é",
        "日本",
        "\U0001f600",
        " ",
        "  ",
        "\t",
        "\xa0",
        "\u3000",
        "\u2009",
        "\x1f",
        "\x85",
        "\n",
        "\ud800",
    ]
) | st.text(max_size=9)


@given(st.lists(_WORDS, max_size=60))
def test_lines_have_one_number_exactly_when_their_words_are_the_same(pieces: list[str]) -> None:
    text = "".join(pieces)
    lines = text.split("\n")
    plain = [
        " ".join(line.split()) if len(line) >= 40 and len(line.split()) >= 6 else ""
        for line in lines
    ]
    again = "\n".join(plain)
    numbers = shared._number_lines(text).tolist()
    assert [number != 0 for number in numbers] == [line != "" for line in plain]
    longer = shared._number_lines("\n".join(line and line + " " * 40 for line in again.split("\n")))
    assert numbers == longer.tolist()
    assert len(set(numbers)) == len(set(plain))
