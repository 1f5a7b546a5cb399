"""What a page had before counts no more, in a crawl that visits pages again."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.analyzers.duplicates.content_seen import Content, body_print
from gossamer.analyzers.duplicates.duplicates_state import ContentState
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Compared, Document, Headers, Original, Page, Visit
from tests.analyzers.duplicates.texts import prose
from tests.present import parse, present

A, B = b"a page about rivers", b"a page about mountains"


def document(path: str, body: bytes, started: float = 0.0, status: int = 200) -> Document:
    visit = Visit(parse(f"http://a.test/{path}"))
    page = Page(visit, Outcome.FETCHED, started, status=status, payload=body, body=body)
    return Document(page, text_utf8=body)


def open_content(folder: Path, state: ContentState | None = None) -> Content:
    return Content(folder, None, state, had=lambda visit, digest: False)


def judge(
    content: Content, path: str, body: bytes, started: float = 0.0, status: int = 200
) -> Compared:
    [kept] = content.judge([document(path, body, started, status)])
    return kept


def copied(kept: Compared) -> str | None:
    return None if kept.duplicate_of is None else kept.duplicate_of.url.rpartition("/")[2]


@pytest.fixture
def content(tmp_path: Path) -> Content:
    return open_content(tmp_path)


def test_what_a_changed_page_had_makes_no_copies(content: Content) -> None:
    judge(content, "old", A)
    judge(content, "old", B)
    assert copied(judge(content, "new", A)) is None
    assert copied(judge(content, "other", B)) == "old"
    assert copied(judge(content, "third", A)) == "new"


def test_a_copy_is_the_original_when_that_has_changed(content: Content) -> None:
    judge(content, "old", A)
    assert judge(content, "copy", A).is_same_payload
    judge(content, "old", B)
    assert copied(judge(content, "copy", A)) is None
    later = judge(content, "later", A)
    assert copied(later) == "copy"
    assert not later.is_same_payload, "the archive has no response of the copy to refer to"
    assert copied(judge(content, "old", A)) == "copy", "who comes back is the last in line"


@pytest.mark.parametrize("status", [301, 302])
def test_a_page_that_leads_elsewhere_has_left(content: Content, status: int) -> None:
    judge(content, "old", A)
    moved = document("old", b"", status=status)
    headers = Headers([("Location", "http://a.test/new")])
    content.judge([replace(moved, page=replace(moved.page, headers=headers))])
    assert copied(judge(content, "new", A)) is None


def test_an_error_changes_nothing_until_the_page_is_given_up(content: Content) -> None:
    judge(content, "old", A, started=1.0)
    for status in (404, 503):
        assert copied(judge(content, "old", b"error", status=status)) is None
    copy = judge(content, "copy", A)
    assert copy.duplicate_of == Original("http://a.test/old", 1.0)
    assert copy.is_same_payload
    content.forget([document("old", b"error", status=404)])
    assert copied(judge(content, "later", A)) == "copy"


def test_the_error_of_a_page_that_is_given_up_is_still_there(content: Content) -> None:
    judge(content, "lost", b"nothing here", status=404)
    content.forget([document("lost", b"nothing here", status=404)])
    assert copied(judge(content, "lost too", b"nothing here", status=404)) == "lost"


def test_a_304_and_an_empty_page(content: Content) -> None:
    judge(content, "old", A)
    judge(content, "old", b"", status=304)
    assert copied(judge(content, "copy", A)) == "old"
    judge(content, "old", b"")
    judge(content, "copy", b"")
    assert copied(judge(content, "new", A)) is None


def test_text_and_nearly_the_same_text(content: Content) -> None:
    text = prose(1, 400)
    judge(content, "old", text)
    assert present(judge(content, "markup", text + b"!").same_text_as).url == "http://a.test/old"
    assert judge(content, "near", text + b" end").similar_to is not None
    judge(content, "old", prose(2, 400))
    judge(content, "near", prose(3, 400))
    judge(content, "markup", prose(4, 400))
    for path, new in (("one", text + b"?"), ("two", prose(2, 390) + b" end")):
        kept = judge(content, path, new)
        assert kept.same_text_as is None
        assert (kept.similar_to is None) == (path == "one")


def test_the_first_with_a_text_stays_it_in_other_markup(content: Content) -> None:
    """Otherwise two pages would be copies of each other, and nobody the original."""
    text = prose(1, 100)
    judge(content, "old", text)
    assert judge(content, "copy", text + b".").same_text_as is not None
    for end in (b",", b";"):
        assert judge(content, "old", text + end).same_text_as is None
        assert judge(content, "copy", text + end + b".").same_text_as is not None


def test_many_copies(content: Content) -> None:
    """Only some are known by name. So nobody knows the content when they all have left."""
    for number in range(20):
        judge(content, f"copy{number}", A)
    for number in range(7):
        judge(content, f"copy{number}", B + b"%d" % number)
    assert copied(judge(content, "new", A)) == "copy7"


def test_as_it_was_at_a_commit(tmp_path: Path) -> None:
    """After a crash, the files are as they were, and the lookups are made again."""
    content = open_content(tmp_path)
    judge(content, "old", A)
    judge(content, "copy", A)
    judge(content, "old", B)
    state = content.commit()
    judge(content, "copy", B)
    judge(content, "lost", A)
    again = open_content(tmp_path, state)
    assert copied(judge(again, "new", A)) == "copy"
    assert copied(judge(again, "newer", B)) == "old"
    again.verify()
    state = again.commit()
    again.close()
    closed = open_content(tmp_path, state)
    assert copied(judge(closed, "newest", A)) == "copy"
    assert closed.statistics().known == 5
    closed.close()


def test_who_had_the_payload_before_has_no_record_of_its_own(tmp_path: Path) -> None:
    """A page that is unchanged is kept as a reference, to which no other may refer."""
    content = Content(tmp_path, had=lambda visit, digest: visit.url.text.endswith("back"))
    judge(content, "back", A)
    assert copied(judge(content, "copy", A)) == "back"
    assert not judge(content, "copy", A).is_same_payload
    assert body_print(document("back", A))
