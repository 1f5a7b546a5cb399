"""Lists show rows, exports show them again, and each row has a page: what of that is new."""

from pathlib import Path

from gossamer.analyzers.duplicates.content_seen import Content
from gossamer.analyzers.redundancy.worth import measure
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Document, Page, Via, Visit
from tests.present import parse

ROWS = [
    f"{number} amber falcon{number} flies over water{number} novel danish" for number in range(90)
]
LIST, ROW = "http://a.test/rows", "http://a.test/rows/17"


def document(url: str, text: str, media_type: str = "text/html", source: str = LIST) -> Document:
    body = text.encode()
    visit = Visit(parse(url), 1, Via.LINK, source)
    page = Page(visit, Outcome.FETCHED, 0.0, status=200, payload=body, body=body)
    return Document(page, text_utf8=body, media_type=media_type)


def test_a_row_counts_after_the_list_and_its_other_forms_do_not(tmp_path: Path) -> None:
    table = document(LIST, " ".join(ROWS), source="http://a.test/")
    row = document(ROW, f"row 17 {ROWS[17]}")
    printed = document(f"{ROW}/print", f"row 17 {ROWS[17]}!", source=ROW)
    _, first, again = Content(tmp_path).judge([table, row, printed])
    assert first.new_words <= 2
    assert first.new_content == first.words
    assert again.new_content == 0


def test_a_page_that_quotes_a_longer_one_is_no_row(tmp_path: Path) -> None:
    """Differences and forms repeat a line of the article that they are about."""
    article = document(LIST, " ".join(ROWS), source="http://a.test/")
    own = " ".join(f"form{place} asks{place}" for place in range(30))
    form = document(f"{LIST}/17/reply", f"{own} falcon17 flies over")
    _, found = Content(tmp_path).judge([article, form])
    assert not found.is_row
    assert found.new_content == found.new_words


def test_a_short_row_is_worth_as_much_as_a_page_of_its_length_can_be(tmp_path: Path) -> None:
    """A row of ten words looked poor beside its lists, which say as much of many rows."""
    table = document(LIST, " ".join(ROWS), source="http://a.test/")
    row = document(ROW, f"row 17 {ROWS[17]} as the table has it")
    _, found = Content(tmp_path).judge([table, row])
    long_row = " ".join(f"word{place}" for place in range(200))
    assert found.is_row
    assert measure(found) > 0.6
    assert measure(Content(tmp_path / "b").judge([document(ROW, long_row)])[0]) > 0.8


def test_another_choice_of_the_list_does_not_count_as_a_page(tmp_path: Path) -> None:
    table = document(LIST, " ".join(ROWS), source="http://a.test/")
    some = document(f"{LIST}?kind=novel", " ".join(ROWS[17:19]))
    _, found = Content(tmp_path).judge([table, some])
    assert found.new_content == 0


def test_exports_take_nothing_away_from_pages(tmp_path: Path) -> None:
    export = document(f"{LIST}.csv", " ".join(ROWS), "text/plain")
    row = document(ROW, ROWS[17])
    given, page = Content(tmp_path).judge([export, row])
    assert given.new_content == given.new_words > 0, "it is new itself"
    assert page.new_content == page.words


def test_an_export_is_worth_less_than_a_page_that_says_the_same(tmp_path: Path) -> None:
    page = document(LIST, " ".join(ROWS))
    exports = [
        document(f"{LIST}.csv", " ".join(ROWS), "text/csv"),
        document(f"{LIST}.json", "", "application/json"),
    ]
    contents = [Content(tmp_path / str(place)) for place in range(3)]
    [worth, *less] = [
        measure(content.judge([one])[0])
        for content, one in zip(contents, [page, *exports], strict=True)
    ]
    assert worth > 0.8
    assert 0 < max(less) < 0.6 * worth
