import gzip
import tracemalloc
from hashlib import sha1
from pathlib import Path

from msgspec.structs import replace

from gossamer.analyzers.duplicates.content_seen import Content
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Document, Original, Page, Visit
from tests.present import parse, present


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


def test_the_first_is_no_duplicate_and_the_second_is(tmp_path: Path) -> None:
    content = Content(tmp_path)
    first, second = content.judge(
        [document("http://a.test/1", b"x", started=5.0), document("http://a.test/2", b"x")]
    )
    assert first.duplicate_of is None
    assert first.digest == second.digest == sha1(b"x").digest()
    assert second.duplicate_of == Original("http://a.test/1", 5.0)
    assert second.is_same_payload
    assert content.statistics().duplicates == 1


def test_the_same_body_compressed_differently_is_a_duplicate_but_no_revisit(tmp_path: Path) -> None:
    content = Content(tmp_path)
    content.judge([document("http://a.test/1", b"text")])
    packed = gzip.compress(b"text")
    [kept] = content.judge([document("http://a.test/2", packed, b"text")])
    assert present(kept.duplicate_of).url == "http://a.test/1"
    assert not kept.is_same_payload
    assert kept.digest == sha1(packed).digest()


def test_the_same_payload_is_a_revisit(tmp_path: Path) -> None:
    content = Content(tmp_path)
    packed = gzip.compress(b"text")
    _, kept = content.judge([document(f"http://a.test/{n}", packed, b"text") for n in (1, 2)])
    assert kept.is_same_payload


def test_a_304_is_no_empty_page(tmp_path: Path) -> None:
    """Were it one, a page that does not change would seem to change with every visit."""
    asked = document("http://a.test/", b"")
    page = replace(asked.page, status=304)
    [empty, unchanged] = Content(tmp_path).judge([asked, replace(asked, page=page)])
    assert (empty.digest, unchanged.digest) == (sha1(b"").digest(), b"")


def test_empty_pages_and_failures_are_no_duplicates(tmp_path: Path) -> None:
    content = Content(tmp_path)
    failed = Document(Page(Visit(parse("http://a.test/")), Outcome.RESET, 0.0))
    kept = content.judge(
        [document("http://a.test/1", b""), document("http://a.test/2", b""), failed]
    )
    assert [one.duplicate_of for one in kept] == [None] * 3
    assert kept[2].digest == b""


def test_pages_that_cannot_be_decoded_are_no_copies_of_each_other(tmp_path: Path) -> None:
    content = Content(tmp_path)
    pages = [document(f"http://a.test/{n}", b"no gzip %d" % (n % 2), b"") for n in range(3)]
    damaged = [replace(one, page=replace(one.page, is_damaged=True)) for one in pages]
    first, second, third = content.judge(damaged)
    assert (first.duplicate_of, second.duplicate_of) == (None, None)
    assert present(third.duplicate_of).url == "http://a.test/0", "its payload is the same"


def test_meeting_a_page_again_at_its_own_url_is_no_duplicate(tmp_path: Path) -> None:
    content = Content(tmp_path)
    content.judge([document("http://a.test/1", b"x")])
    assert content.judge([document("http://a.test/1", b"x")])[0].duplicate_of is None


def test_what_was_committed_is_known_again(tmp_path: Path) -> None:
    content = Content(tmp_path)
    packed = gzip.compress(b"text")
    content.judge([document("http://a.test/1", packed, b"text", started=3.0)])
    state = content.commit()
    content.judge([document("http://a.test/lost", b"other")])
    content.close()
    again = Content(tmp_path, state=state)
    same, different = again.judge(
        [document("http://a.test/2", packed, b"text"), document("http://a.test/3", b"other")]
    )
    assert same.duplicate_of == Original("http://a.test/1", 3.0)
    assert same.is_same_payload
    assert different.duplicate_of is None, "what came after the commit is forgotten"


def test_a_payload_that_was_never_kept_is_not_referred_to(tmp_path: Path) -> None:
    """The first came compressed: its plain bytes, though met as a body, are in no record."""
    packed = gzip.compress(b"text")
    content = Content(tmp_path)
    content.judge([document("http://a.test/1", packed, b"text")])
    [plain] = content.judge([document("http://a.test/2", b"text")])
    state = content.commit()
    content.close()
    again = Content(tmp_path, state=state)
    still_plain, other, same = again.judge(
        [
            document("http://a.test/3", b"text"),
            document("http://a.test/4", gzip.compress(b"text", 1, mtime=9), b"text"),
            document("http://a.test/5", packed, b"text"),
        ]
    )
    found = [plain, still_plain, other, same]
    assert [present(one.duplicate_of).url for one in found] == ["http://a.test/1"] * 4
    assert [one.is_same_payload for one in found] == [False, False, False, True]


def test_a_revisit_refers_to_a_page_with_that_payload(tmp_path: Path) -> None:
    """The second's payload is in the archive too, but not at the page that it would refer to."""
    content = Content(tmp_path)
    content.judge([document("http://a.test/1", b"text")])
    packed = gzip.compress(b"text")
    _, third = content.judge([document(f"http://a.test/{n}", packed, b"text") for n in (2, 3)])
    assert present(third.duplicate_of).url == "http://a.test/1"
    assert not third.is_same_payload


def test_many_entries_of_all_lengths_are_known_again(tmp_path: Path) -> None:
    urls = [f"http://a.test/{n}/{'x' * (n * 37 % 2000)}" for n in range(3000)]
    content = Content(tmp_path)
    content.judge([document(url, b"%d" % n, started=n) for n, url in enumerate(urls)])
    state = content.commit()
    assert state.urls > 2 << 20, "more than two blocks"
    content.close()
    again = Content(tmp_path, state=state)
    kept = again.judge([document("http://b.test/", b"%d" % n) for n in range(3000)])
    assert [one.duplicate_of for one in kept] == [Original(url, n) for n, url in enumerate(urls)]
    assert all(one.is_same_payload for one in kept)


def test_copies_leave_nothing_behind(tmp_path: Path) -> None:
    content, first = Content(tmp_path), Original("http://b.test/", 0.0)
    words = " ".join(f"word{number}" for number in range(10_000)).encode()
    copies = [replace(document(f"http://a.test/{n}", b"x"), text_utf8=words) for n in range(60)]
    content.take_for_copy(copies[0], first, True)
    tracemalloc.start()
    try:
        for copy in copies:
            content.take_for_copy(copy, first, True)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000  # the numbers of all their words would take 4,800,000
