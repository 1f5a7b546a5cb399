import gzip
from hashlib import sha1

from gossamer.base.outcomes import Outcome
from gossamer.base.records import Document, Original, Page, Visit
from gossamer.base.url import parse
from gossamer.cycle.content import ExactContent


def document(url: str, payload: bytes, body: bytes | None = None, started: float = 0.0) -> Document:
    page = Page(
        Visit(parse(url)),
        Outcome.FETCHED,
        started,
        status=200,
        payload=payload,
        body=payload if body is None else body,
    )
    return Document(page)


def test_the_first_is_no_duplicate_and_the_second_is() -> None:
    content = ExactContent()
    first, second = content.judge(
        [document("http://a.test/1", b"x", started=5.0), document("http://a.test/2", b"x")]
    )
    assert first.duplicate_of is None
    assert first.digest == second.digest == sha1(b"x").digest()
    assert second.duplicate_of == Original("http://a.test/1", 5.0)
    assert second.is_same_payload
    assert content.statistics().duplicates == 1


def test_the_same_body_compressed_differently_is_a_duplicate_but_no_revisit() -> None:
    content = ExactContent()
    content.judge([document("http://a.test/1", b"text")])
    packed = gzip.compress(b"text")
    [kept] = content.judge([document("http://a.test/2", packed, b"text")])
    assert kept.duplicate_of.url == "http://a.test/1"
    assert not kept.is_same_payload
    assert kept.digest == sha1(packed).digest()


def test_the_same_payload_is_a_revisit() -> None:
    content = ExactContent()
    packed = gzip.compress(b"text")
    _, kept = content.judge([document(f"http://a.test/{n}", packed, b"text") for n in (1, 2)])
    assert kept.is_same_payload


def test_empty_pages_and_failures_are_no_duplicates() -> None:
    content = ExactContent()
    failed = Document(Page(Visit(parse("http://a.test/")), Outcome.RESET, 0.0))
    kept = content.judge(
        [document("http://a.test/1", b""), document("http://a.test/2", b""), failed]
    )
    assert [one.duplicate_of for one in kept] == [None] * 3
    assert kept[2].digest == b""


def test_meeting_a_page_again_at_its_own_url_is_no_duplicate() -> None:
    content = ExactContent()
    content.judge([document("http://a.test/1", b"x")])
    assert content.judge([document("http://a.test/1", b"x")])[0].duplicate_of is None
