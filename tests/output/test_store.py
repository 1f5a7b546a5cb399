import gzip
import random
import re
import resource
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha1
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

from gossamer.core.disk.disk_manifest import MANIFEST
from gossamer.core.outcomes import Outcome, Truncation
from gossamer.core.page_batch import PageBatch
from gossamer.core.records import Judged, Link, Original, Via
from gossamer.core.settings import StoreSettings
from tests.output.output_samples import (
    HTML,
    START,
    blocks_of,
    check_with_warcio,
    end,
    failure,
    fields_of,
    index_lines,
    kept,
    member_at,
    open_store,
    query,
    records,
    store_all,
    url,
    warc_files,
)

CHUNKED = b"5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n"


def head(*lines: bytes) -> bytes:
    return b"\r\n".join((b"HTTP/1.1 200 OK", *lines, b"", b""))


HARD_CASES: dict[str, Judged] = {
    "plain": kept(),
    "empty body": kept(payload=b""),
    "no header fields": kept(head=b"HTTP/1.1 200 OK\r\n\r\n"),
    "chunked": kept(payload=CHUNKED, head=head(b"Transfer-Encoding: chunked")),
    "bad chunks": kept(payload=b"zz\r\nhello", head=head(b"Transfer-Encoding: chunked")),
    "gzip": kept(payload=gzip.compress(HTML), head=head(b"Content-Encoding: gzip")),
    "cut gzip": kept(payload=gzip.compress(HTML)[:50], head=head(b"Content-Encoding: gzip")),
    "chunked gzip": kept(
        payload=b"%x\r\n%b\r\n0\r\n\r\n" % (len(gzip.compress(HTML)), gzip.compress(HTML)),
        head=head(b"Transfer-Encoding: chunked", b"Content-Encoding: gzip"),
    ),
    "binary": kept(payload=random.Random(2).randbytes(100_000), head=head(b"X: y")),
    "truncated": kept(page={"truncated": Truncation.TIME}, head=head(b"Content-Length: 99999")),
    "NUL in header": kept(head=head(b"X-Odd: a\0b", b"\0: \0")),
    "not ASCII in header": kept(head=head(b"X-Odd: \xff\xfe", "Ünï: cödé".encode())),
    "folded header": kept(head=head(b"X-Long: a", b"  b", b"\tc")),
    "blank folded header": kept(head=head(b"X-Long: a", b"  ", b"X: y")),
    "no colon in header": kept(head=head(b"nonsense", b"X: y")),
    "line feeds only": kept(head=b"HTTP/1.0 200 OK\nX: y\n\n"),
    "some line feeds only": kept(head=b"HTTP/1.0 200 OK\nX: y\r\nA: b\n\r\n\r\n"),
    "some more line feeds": kept(head=b"HTTP/1.0 200 OK\nX: y\r\nA: b\r\n\r\n"),
    "HTTP/0.9": kept(head=b""),
    "HTTP/2": kept(head=b"HTTP/2 200 \r\ncontent-type: text/html\r\n\r\n"),
    "interim response": kept(head=b"HTTP/1.1 103 Early Hints\r\n\r\n" + head(b"X: y")),
    "nothing at all": kept(head=b"", payload=b""),
    "half a head": failure(Outcome.RESET, head=b"HTTP/1.1 200 OK\r\nConte", address="::1"),
    "half a body": failure(Outcome.RESET, head=head(b"Content-Length: 9"), payload=b"half"),
    "not ASCII in URL": kept("http://bücher.example/ä ö?ü=\u20ac#no"),
    "quotes in URL": kept("http://example.com/?a='\\\"&b={}"),
    "long URL": kept("http://example.com/" + "a/" * 1000),
    "IPv6": kept("http://[2001:db8::1]:8080/", page={"address": "2001:db8::1"}),
    "redirect": kept(
        payload=b"", head=head(b"Location: /other"), page={"status": 301}, media_type=""
    ),
    "same payload": kept(
        "http://copy.example/",
        original=Original("http://example.com/", START),
    ),
    "not modified": kept(
        payload=b"",
        head=b"HTTP/1.1 304 Not Modified\r\n\r\n",
        digest=sha1(HTML).digest(),
        page={"status": 304},
        is_unchanged=True,
        archived=Original("http://example.com/", START - 10),
    ),
    "not modified, for all we know": kept(
        payload=b"", head=b"HTTP/1.1 304 Not Modified\r\n\r\n", page={"status": 304}
    ),
    "unchanged": kept(is_unchanged=True, archived=Original("http://example.com/", START - 10)),
    "robots": kept("http://example.com/robots.txt", b"User-agent: *", visit={"via": Via.ROBOTS}),
}


@pytest.mark.parametrize("visit", HARD_CASES.values(), ids=HARD_CASES.keys())
def test_every_case_passes_the_checks_of_warcio_and_fastwarc(tmp_path: Path, visit: Judged) -> None:
    store_all(tmp_path, visit)
    assert check_with_warcio(tmp_path) == 0
    page = visit.document.page
    assert all(record.verify_block_digest() for record in records(tmp_path))
    kinds = [record.headers["WARC-Type"] for record in records(tmp_path)]
    capture = "revisit" if visit in _REVISITS else "response"
    assert kinds == ["warcinfo", capture] + ["request"] * bool(page.request)
    block = page.head + (b"" if capture == "revisit" else page.payload)
    assert blocks_of(tmp_path, capture) == [b"" if visit is _EMPTY else block]


_EMPTY = HARD_CASES["not modified"]
_REVISITS = (HARD_CASES["same payload"], HARD_CASES["unchanged"], _EMPTY)


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """All hard cases in one crawl, over several WARC files."""
    store_all(tmp_path, *HARD_CASES.values(), settings=StoreSettings(warc_size=1024))
    assert len(warc_files(tmp_path)) > 5
    return tmp_path


def test_warcio_checks_the_whole_crawl(full: Path) -> None:
    assert check_with_warcio(full) == 0


def test_fastwarc_verifies_all_digests(full: Path) -> None:
    wanted = sum(1 for _ in records(full))
    found = 0
    for path in warc_files(full):
        found += sum(1 for _ in ArchiveIterator(str(path), parse_http=False, verify_digests=True))
    assert found == wanted == 2 * len(HARD_CASES) - 2 + len(warc_files(full))


def test_payload_digests_are_those_of_the_raw_payload(full: Path) -> None:
    checked = 0
    for record in records(full):
        if record.headers["WARC-Type"] == "response" and "WARC-Payload-Digest" in record.headers:
            record.parse_http(strict_mode=False)
            assert record.verify_payload_digest(), record.headers["WARC-Target-URI"]
            checked += 1
    assert checked >= 20


def test_every_index_line_leads_to_its_record(full: Path) -> None:
    lines = index_lines(full)
    assert len(lines) == len(HARD_CASES)
    for _, stamp, entry in lines:
        record = member_at(full, entry)
        assert record.startswith(b"WARC/1.1\r\nWARC-Type: re")
        assert b"WARC-Type: request" not in record
        assert f"WARC-Target-URI: {entry['url']}\r\n".encode() in record
        assert stamp == "20231114221320"
        if "digest" in entry and entry["mime"] == "warc/revisit":
            assert f"WARC-Payload-Digest: sha1:{entry['digest']}\r\n".encode() in record


def test_the_index_is_sorted_by_bytes(full: Path) -> None:
    lines = (full / "warc" / "index.cdxj").read_bytes().splitlines(keepends=True)
    assert lines == sorted(lines)


def test_the_index_agrees_with_a_walk_through_the_files(full: Path) -> None:
    walked = set()
    for path in warc_files(full):
        with open(path, "rb") as file:
            iterator = WarcioIterator(file)
            for record in iterator:
                if record.rec_type in ("response", "revisit"):
                    name = (path.name, str(iterator.get_record_offset()))
                    walked.add((*name, str(iterator.get_record_length())))
    indexed = {
        (entry["filename"], entry["offset"], entry["length"]) for *_, entry in index_lines(full)
    }
    assert indexed == walked


def test_the_pages_table_leads_to_the_same_records(full: Path) -> None:
    indexed = {
        (entry["filename"], int(entry["offset"]), int(entry["length"]))
        for *_, entry in index_lines(full)
        if not entry["url"].endswith("robots.txt")
    }
    assert set(query(full, "pages", "warc_file, warc_offset, warc_length")) == indexed


def test_each_file_is_introduced(full: Path) -> None:
    infos = fields_of(full, "warcinfo")
    assert [info["WARC-Filename"] for info in infos] == [path.name for path in warc_files(full)]
    for block in blocks_of(full, "warcinfo"):
        assert b"robots: obey\r\n" in block
        assert b'settings: {"crawl":{"seeds":["http://example.com/"]}}\r\n' in block


def test_identities_are_never_given_twice(full: Path) -> None:
    identities = [record.record_id for record in records(full)]
    assert len(set(identities)) == len(identities)


def test_other_programs_read_the_body_back(tmp_path: Path) -> None:
    store_all(tmp_path, HARD_CASES["chunked gzip"])
    with open(warc_files(tmp_path)[0], "rb") as file:
        bodies = [
            r.content_stream().read() for r in WarcioIterator(file) if r.rec_type == "response"
        ]
    assert bodies == [HTML]


def test_failures_have_a_row_but_no_record(tmp_path: Path) -> None:
    silent = [outcome for outcome in Outcome if outcome is not Outcome.FETCHED]
    store = store_all(tmp_path, *(failure(outcome) for outcome in silent))
    assert warc_files(tmp_path) == []
    assert index_lines(tmp_path) == []
    assert len(query(tmp_path, "pages", "url")) == len(silent) == store.statistics().pages


def test_robots_are_archived_but_no_page(tmp_path: Path) -> None:
    links = (Link("http://example.com/robots.txt", url("http://example.com/sitemap.xml")),)
    store_all(
        tmp_path,
        kept("http://example.com/robots.txt", b"x", visit={"via": Via.ROBOTS}, links=links),
    )
    assert len(fields_of(tmp_path, "response")) == len(index_lines(tmp_path)) == 1
    assert query(tmp_path, "pages", "*") == query(tmp_path, "links", "*") == []


def test_an_empty_crawl_is_valid(tmp_path: Path) -> None:
    store_all(tmp_path)
    assert warc_files(tmp_path) == []
    assert index_lines(tmp_path) == []
    assert query(tmp_path, "pages", "*") == []


def test_the_archive_can_be_switched_off(tmp_path: Path) -> None:
    store = store_all(tmp_path, kept(), settings=StoreSettings(warc=False))
    store.commit()
    assert not (tmp_path / "warc").exists()
    assert query(tmp_path, "pages", "warc_file") == [(None,)]
    assert store.statistics().records == 0


def test_the_links_can_be_switched_off(tmp_path: Path) -> None:
    links = (Link("http://example.com/", url("http://example.com/b")),)
    store = store_all(tmp_path, kept(links=links), settings=StoreSettings(links=False))
    assert not (tmp_path / "links").exists()
    assert query(tmp_path, "pages", "links") == [(1,)]
    assert store.statistics().links == 0


def test_what_was_committed_survives_an_abnormal_end(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.write(PageBatch([kept("http://example.com/1"), kept("http://example.com/2")]))
    store.commit()
    assert check_with_warcio(tmp_path) == 0
    assert [fields["WARC-Target-URI"] for fields in fields_of(tmp_path, "response")] == [
        "http://example.com/1",
        "http://example.com/2",
    ]
    store.close()


def test_closing_twice_is_harmless(tmp_path: Path) -> None:
    store = store_all(tmp_path, kept())
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    store.close()
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_the_same_crawl_writes_the_same_archive_but_for_identities(tmp_path: Path) -> None:
    for name in ("a", "b"):
        store_all(tmp_path / name, *HARD_CASES.values())
    first, second = (
        gzip.decompress(warc_files(tmp_path / name)[0].read_bytes()) for name in ("a", "b")
    )
    identity = re.compile(rb"urn:uuid:[0-9a-f-]{36}")
    assert set(identity.findall(first)).isdisjoint(identity.findall(second))
    assert identity.sub(b"", first) == identity.sub(b"", second)


def test_nothing_but_finished_files_is_left(full: Path) -> None:
    files = [path for path in full.rglob("*") if path.is_file()]
    outside = {"".join(path.suffixes) for path in files if full / "state" not in path.parents}
    assert outside == {".warc.gz", ".cdxj", ".parquet", ".jsonl"}
    inside = [path for path in files if full / "state" in path.parents and path.name != MANIFEST]
    assert {path.name[:5] for path in inside} == {"index", "pages", "links"}
    assert [path.stat().st_size for path in inside] == [0, 0, 0]


def test_statistics(tmp_path: Path) -> None:
    links = (Link("http://example.com/", url("http://example.com/b")),) * 3
    store = store_all(
        tmp_path, kept(links=links), HARD_CASES["same payload"], failure(Outcome.TIMEOUT)
    )
    found = store.statistics()
    data = warc_files(tmp_path)[0].read_bytes()
    assert (found.records, found.revisits, found.warc_files) == (5, 1, 1)
    assert (found.pages, found.links, found.table_files) == (3, 3, 2)
    assert found.warc_bytes == len(data)
    assert found.raw_bytes == len(gzip.decompress(data))
    assert found.table_bytes == sum(p.stat().st_size for p in tmp_path.rglob("*.parquet"))


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """As if the disk were full: the system refuses to let a file grow beyond `size`."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_is_told_and_the_rest_is_finished(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.write(PageBatch([kept("http://example.com/before")]))
    state = store.commit()
    with files_no_larger_than(1 << 16):
        store.write(
            PageBatch([kept(payload=random.Random(6).randbytes(3 << 20)), failure(Outcome.TIMEOUT)])
        )
        with pytest.raises(OSError, match="File too large"):
            store.commit()
        with pytest.raises(OSError, match="File too large"):
            store.finish()
        with pytest.raises(OSError, match="File too large"):
            store.close()
    assert ("timeout",) in query(tmp_path, "pages", "outcome")
    assert check_with_warcio(tmp_path) == 0
    (fields,) = fields_of(tmp_path, "response")
    assert fields["WARC-Target-URI"] == "http://example.com/before"
    end(open_store(tmp_path, state=state))
    assert query(tmp_path, "pages", "url") == [("http://example.com/before",)]
    assert [entry["url"] for *_, entry in index_lines(tmp_path)] == ["http://example.com/before"]


def test_a_disk_with_room_again_gets_everything(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    with files_no_larger_than(1 << 16):
        store.write(PageBatch([kept(payload=random.Random(6).randbytes(3 << 20))]))
        with pytest.raises(OSError, match="File too large"):
            store.write(PageBatch([kept("http://example.com/refused")]))
    store.write(PageBatch([kept("http://example.com/after")]))
    end(store)
    assert check_with_warcio(tmp_path) == 0
    assert len(fields_of(tmp_path, "response")) == len(index_lines(tmp_path)) == 2
    assert all(member_at(tmp_path, entry) for *_, entry in index_lines(tmp_path))


def test_a_full_disk_leaves_no_torn_table(tmp_path: Path) -> None:
    store = open_store(tmp_path, StoreSettings(warc=False, rows=1))
    title = "".join(random.Random(6).choices("abcdefghijklmnopqrstuvwxyz", k=1 << 18))
    with files_no_larger_than(1 << 12), pytest.raises(OSError, match="File too large"):
        store.write(PageBatch([kept(title=title)]))
    assert list((tmp_path / "pages").iterdir()) == []


def test_digest_of_chunked_payload_is_over_the_raw_bytes(tmp_path: Path) -> None:
    store_all(tmp_path, HARD_CASES["chunked"])
    (row,) = query(tmp_path, "pages", "digest")
    (fields,) = fields_of(tmp_path, "response")
    assert row[0] == fields["WARC-Payload-Digest"]
    assert sha1(CHUNKED).digest() == HARD_CASES["chunked"].digest


def test_members_have_no_bytes_between_them(full: Path) -> None:
    for path in warc_files(full):
        data = path.read_bytes()
        while data:
            member = zlib.decompressobj(31)
            assert member.decompress(data).startswith(b"WARC/1.1\r\n")
            assert member.eof
            data = member.unused_data
