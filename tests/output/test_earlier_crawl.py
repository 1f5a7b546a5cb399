import tracemalloc
from collections.abc import Callable, Iterator
from hashlib import sha1
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from msgspec.structs import replace
from pyarrow import parquet

from gossamer.core.errors import DirectoryError
from gossamer.core.records import Headers, Judged, Link, Original
from gossamer.core.settings import StoreSettings
from gossamer.core.url import Spelling
from gossamer.output import KnownCrawl, parquet_batches
from tests.manifests import forget_manifests
from tests.output.output_samples import HTML, START, end, kept, open_store, store_all, url

PAGE = url("http://example.com/")
TAGGED = {"headers": Headers([("ETag", '"x"')])}


@pytest.fixture
def know(tmp_path: Path) -> Iterator[Callable[..., KnownCrawl]]:
    """Opens what the crawl in `tmp_path` left behind."""
    opened: list[KnownCrawl] = []

    def open_known(**more: Any) -> KnownCrawl:
        opened.append(KnownCrawl(tmp_path, Spelling(), tmp_path / "copy", **more))
        return opened[-1]

    yield open_known
    for known in opened:
        known.close()
    if opened:
        assert not list(tmp_path.glob("copy/*")), "copies go when they are closed"


def not_modified(where: str = PAGE.text, **more: Any) -> Judged:
    return kept(where, payload=b"", page={"status": 304}, media_type="", **more)


def links_from(where: str, count: int) -> tuple[Link, ...]:
    return tuple(
        Link(where, url(f"{where}{number}"), anchor=f"{number}") for number in range(count)
    )


def test_what_was_known_comes_back_with_a_304(
    tmp_path: Path, know: Callable[..., KnownCrawl]
) -> None:
    link = Link(PAGE.text, url("http://example.com/b"), anchor="b", position="footer")
    store_all(tmp_path, kept(links=(link,), title="A page", text_print=7, page=TAGGED))
    known = know()
    found = known.validators(PAGE)
    assert found is not None
    assert (found.etag, found.last_modified) == ('"x"', "")
    again = known.recall(not_modified())
    assert again.is_unchanged
    assert again.archived == Original(PAGE.text, START + 5e-7)
    assert (again.digest, again.text_print) == (sha1(HTML).digest(), 7)
    assert again.remembered is not None
    assert again.remembered.etag == '"x"'
    assert list(again.document.links) == [link]
    assert (again.document.title, again.document.media_type) == ("A page", "text/html")


@pytest.mark.parametrize("last", [3, 0])
def test_the_links_of_the_last_version_are_known(
    tmp_path: Path, know: Callable[..., KnownCrawl], last: int
) -> None:
    """Visits to one page may stand side by side in the links table, and the last may have none."""
    versions = [(b"first", 2), (b"second", 4), (b"third", last)]
    store_all(
        tmp_path,
        *(
            kept(payload=body, links=links_from(PAGE.text, count), page=TAGGED, title=body.decode())
            for body, count in versions
        ),
    )
    again = know().recall(not_modified())
    assert again.document.title == "third"
    assert list(again.document.links) == list(links_from(PAGE.text, last))


def test_a_visit_without_a_change_is_known_by_the_version_it_stands_for(
    tmp_path: Path, know: Callable[..., KnownCrawl]
) -> None:
    """Its own row has neither title nor links."""
    response = Original(PAGE.text, START)
    unchanged = not_modified(
        digest=sha1(HTML).digest(), is_unchanged=True, archived=response, change="nothing"
    )
    links = links_from(PAGE.text, 2)
    store_all(tmp_path, kept(title="A page", links=links, page=TAGGED), unchanged, unchanged)
    known = know()
    again = known.recall(not_modified())
    assert (again.document.title, list(again.document.links)) == ("A page", list(links))
    assert again.archived == Original(PAGE.text, START + 5e-7)
    assert known.validators(PAGE) is not None


def test_the_same_bytes_are_recognised(tmp_path: Path, know: Callable[..., KnownCrawl]) -> None:
    store_all(tmp_path, kept())
    known = know()
    assert known.validators(PAGE) is None
    same, other, elsewhere = kept(), kept(payload=b"other"), kept("http://example.com/new")
    assert known.recall(same) == replace(
        same, is_unchanged=True, archived=Original(PAGE.text, START + 5e-7)
    )
    assert known.recall(other) is other
    assert known.recall(elsewhere) is elsewhere


@pytest.mark.parametrize(
    "before",
    [
        kept(page={**TAGGED, "status": 404}),
        not_modified(),
        kept(where="http://example.com/other", page=TAGGED),
    ],
)
def test_what_has_no_content_is_not_known(
    tmp_path: Path, know: Callable[..., KnownCrawl], before: Judged
) -> None:
    store_all(tmp_path, before)
    known = know()
    assert known.validators(PAGE) is None
    asked = not_modified()
    assert known.recall(asked) is asked


def test_what_was_not_archived_is_known_only_where_nothing_is(
    tmp_path: Path, know: Callable[..., KnownCrawl]
) -> None:
    store_all(tmp_path, kept(page=TAGGED), settings=StoreSettings(warc=False))
    assert know().validators(PAGE) is None
    known = know(needs_records=False)
    assert known.validators(PAGE) is not None
    again = known.recall(not_modified())
    assert (again.is_unchanged, again.archived) == (True, None)


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_links_of_a_page_are_found_wherever_batches_end(
    tmp_path: Path, know: Callable[..., KnownCrawl], monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(parquet_batches, "_ROWS_AT_ONCE", size)
    counts = [3, 0, 5, 1, 0, 8, 2]
    names = [f"http://{place}.example/" for place in range(len(counts))]
    lost = kept(
        "http://lost.example/", links=links_from("http://lost.example/", 4), page={"status": 404}
    )
    pages = [kept(x, links=links_from(x, count)) for x, count in zip(names, counts, strict=True)]
    store_all(tmp_path, *pages[:4], lost, *pages[4:])
    own = {"5.example", "2.example"}
    for known, is_own in (
        (know(), lambda host: True),
        (know(is_own=own.__contains__), own.__contains__),
    ):
        for name, count in zip(names, counts, strict=True):
            again = known.recall(not_modified(name))
            expected = links_from(name, count if is_own(url(name).host) else 0)
            assert tuple(again.document.links) == expected


def test_a_table_of_an_earlier_version_is_known_as_far_as_it_goes(
    tmp_path: Path, know: Callable[..., KnownCrawl]
) -> None:
    """It does not say where the content of a copy is."""
    copy = kept("http://example.com/copy", duplicate_of=Original(PAGE.text, START), page=TAGGED)
    store_all(tmp_path, kept(page=TAGGED), copy)
    forget_manifests(tmp_path)
    [file] = tmp_path.glob("pages/*.parquet")
    rows = parquet.read_table(file)
    new = ["is_followable", "is_unchanged", "refers_to", "refers_at"]
    parquet.write_table(rows.drop_columns(new), file)
    known = know()
    assert known.recall(not_modified()).is_unchanged
    assert known.validators(url("http://example.com/copy")) is None


def test_what_is_known_of_many_pages_is_on_disk(
    tmp_path: Path, know: Callable[..., KnownCrawl]
) -> None:
    """In memory, a page takes up so many bytes, however long its title and its links."""
    store_all(tmp_path, kept(page=TAGGED))
    forget_manifests(tmp_path)
    count, long = 10_000, "long " * 40
    for table, columns in {
        "pages": {"url": "http://example.com/{}", "title": long + "{}"},
        "links": {"source": "http://example.com/{}", "anchor": long + "{}"},
    }.items():
        [file] = tmp_path.glob(f"{table}/*.parquet")
        some = parquet.read_table(file)
        if not len(some):
            link = {"target": PAGE.text, "kind": "a", "anchor": "", "rel": "", "position": ""}
            some = pa.Table.from_pylist([link], some.schema)
        many = some.take([0] * count)
        for name, pattern in columns.items():
            values = [pattern.format(number) for number in range(count)]
            place = many.schema.get_field_index(name)
            many = many.set_column(place, name, pa.array(values))
        if table == "pages":
            place = many.schema.get_field_index("links")
            many = many.set_column(place, "links", pa.array([1] * count, "int32"))
        parquet.write_table(many, file)
        del many, some, values
    before = pa.total_allocated_bytes()
    tracemalloc.start()
    try:
        known = know()
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(known) == count
    assert used < 40 * count
    assert pa.total_allocated_bytes() - before < 1 << 20
    last = f"http://example.com/{count - 1}"
    again = known.recall(not_modified(last))
    assert again.document.title == f"{long}{count - 1}"
    assert [link.anchor for link in again.document.links] == [f"{long}{count - 1}"]


def test_a_crawl_that_found_nothing_is_known(
    tmp_path: Path, know: Callable[..., KnownCrawl]
) -> None:
    end(open_store(tmp_path))
    known = know()
    assert len(known) == 0
    assert known.validators(PAGE) is None


def test_a_crawl_without_any_table_file_yet_is_one_clear_line(
    tmp_path: Path, know: Callable[..., KnownCrawl]
) -> None:
    store = open_store(tmp_path)
    store.write([kept()])
    store.commit()
    store.close()
    assert list((tmp_path / "pages").iterdir()) == []
    with pytest.raises(DirectoryError, match="has no pages table; --known names"):
        know()


def test_a_damaged_table_is_one_clear_line(tmp_path: Path, know: Callable[..., KnownCrawl]) -> None:
    store_all(tmp_path, kept())
    forget_manifests(tmp_path)
    for path in tmp_path.glob("links/*.parquet"):
        path.write_bytes(b"PAR1 no table PAR1")
    with pytest.raises(DirectoryError, match="is not a Parquet file of a crawl"):
        know()
