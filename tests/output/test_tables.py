from collections import UserList
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from msgspec.structs import replace

from gossamer.core.outcomes import Outcome, Refusal, Truncation
from gossamer.core.page_batch import PageBatch
from gossamer.core.page_links import Links
from gossamer.core.records import Followed, Link, LinkKind, Original, Via
from gossamer.core.settings import StoreSettings
from gossamer.output import parquet_table as tables
from gossamer.output.links_table import LINKS as LINKS_TABLE
from gossamer.output.spool import Spool, SpoolState, pack, read_spool
from tests.output.output_samples import (
    HTML,
    end,
    failure,
    kept,
    open_store,
    query,
    store_all,
    url,
    warc_files,
)
from tests.present import present

PAGES = [
    "url",
    "host",
    "status",
    "outcome",
    "detail",
    "fetched_at",
    "seconds",
    "depth",
    "via",
    "source",
    "hops",
    "attempt",
    "media_type",
    "charset",
    "title",
    "bytes",
    "body_bytes",
    "digest",
    "duplicate_of",
    "same_text_as",
    "text_print",
    "near_of",
    "near_group",
    "similarity",
    "truncated",
    "is_soft_error",
    "is_indexable",
    "parse_failure",
    "address",
    "etag",
    "last_modified",
    "links",
    "warc_file",
    "warc_offset",
    "warc_length",
    "is_retired",
    "redirect_to",
    "redirect_refused",
    "is_followable",
    "is_unchanged",
    "refers_to",
    "refers_at",
    "change",
    "extent",
    "method",
    "request",
    "session",
    "request_key",
]
EVERYTHING = "* replace (epoch_us(fetched_at) as fetched_at, epoch_us(refers_at) as refers_at)"
LINKS = [
    "source",
    "target",
    "kind",
    "anchor",
    "rel",
    "position",
    "target_host",
    "refused",
    "fetched_at",
]
EVERY_LINK = "* replace (epoch_us(fetched_at) as fetched_at)"


def link(target: str = "http://b.example/", **more: str) -> Link:
    return Link("http://a.example/", url(target), **more)  # type: ignore[arg-type]


def test_columns(tmp_path: Path) -> None:
    store_all(tmp_path, kept())
    assert pq.read_schema(tmp_path / "pages" / "00000-00000.parquet").names == PAGES
    assert pq.read_schema(tmp_path / "links" / "00000-00000.parquet").names == LINKS


def test_a_page_as_duckdb_sees_it(tmp_path: Path) -> None:
    visit = {"depth": 2, "via": Via.LINK, "source": "http://a.example/", "hops": 1, "attempt": 3}
    page = {"truncated": Truncation.LENGTH, "body": b"decoded", "detail": "cut at 1 MB"}
    said: dict[str, list[Any]] = {
        "duplicate_of": ["http://first.example/"],
        "same_text_as": ["http://first.example/"],
        "near_of": ["http://near.example/"],
        "near_group": [2**63 + 1],
        "similarity": [0.875],
    }
    known: dict[str, Any] = {
        "is_unchanged": True,
        "archived": Original("http://known.example/", 4.0),
        "change": "minor",
        "extent": 0.125,
    }
    one = kept("http://example.com/x", title="Héllo", visit=visit, page=page, **known)
    store_all(tmp_path, replace(one, text_print=2**64 - 1), columns=said)
    (row,) = query(tmp_path, "pages", EVERYTHING)
    found = dict(zip(PAGES, row, strict=True))
    assert found.pop("fetched_at") == 1_700_000_000_250_000
    assert found.pop("digest").startswith("sha1:")
    assert found.pop("warc_file") == warc_files(tmp_path)[0].name
    assert found.pop("warc_offset") > 0
    assert found.pop("warc_length") > 0
    assert found == {
        "url": "http://example.com/x",
        "host": "example.com",
        "status": 200,
        "outcome": "fetched",
        "detail": "cut at 1 MB",
        "seconds": 0.5,
        "depth": 2,
        "via": "link",
        "source": "http://a.example/",
        "hops": 1,
        "attempt": 3,
        "is_retired": False,
        "is_followable": True,
        "is_unchanged": True,
        "refers_to": "http://known.example/",
        "refers_at": 4_000_000,
        "change": "minor",
        "extent": 0.125,
        **dict.fromkeys(("method", "request", "session", "request_key")),
        "media_type": "text/html",
        "charset": "utf-8",
        "title": "Héllo",
        "bytes": len(HTML),
        "body_bytes": 7,
        "duplicate_of": "http://first.example/",
        "same_text_as": "http://first.example/",
        "text_print": 2**64 - 1,
        "near_of": "http://near.example/",
        "near_group": 2**63 + 1,
        "similarity": 0.875,
        "truncated": "length",
        "is_indexable": True,
        "is_soft_error": False,
        "parse_failure": None,
        "address": "192.0.2.1",
        "etag": None,
        "last_modified": None,
        "links": 0,
        "redirect_to": None,
        "redirect_refused": None,
    }


def test_duckdb_hands_out_times(tmp_path: Path) -> None:
    """It needs a package of its own for times with a zone, and does not bring it along."""
    store_all(tmp_path, kept("http://example.com/x"))
    found = duckdb.sql(f"select fetched_at from read_parquet('{tmp_path}/pages/*.parquet')")
    rows = present(found).fetchall()
    assert [row[0].timestamp() for row in rows] == [1_700_000_000.25]


def test_a_failure_is_a_row_with_nulls(tmp_path: Path) -> None:
    store_all(tmp_path, failure(Outcome.DNS_NOT_FOUND, detail="no such name"))
    (row,) = query(tmp_path, "pages", EVERYTHING)
    found = {name: value for name, value in zip(PAGES, row, strict=True) if value is not None}
    assert found.pop("fetched_at")
    assert found == {
        "url": "http://example.com/",
        "host": "example.com",
        "outcome": "dns_not_found",
        "detail": "no such name",
        "seconds": 0.0,
        "depth": 0,
        "via": "seed",
        "hops": 0,
        "attempt": 0,
        "bytes": 0,
        "body_bytes": 0,
        "is_indexable": True,
        "is_soft_error": False,
        "is_retired": False,
        "is_followable": True,
        "is_unchanged": False,
        "links": 0,
    }


def test_every_outcome_and_way_has_its_name(tmp_path: Path) -> None:
    ways = [way for way in Via if way is not Via.ROBOTS]
    store_all(
        tmp_path,
        *(failure(outcome) for outcome in Outcome),
        *(kept(visit={"via": way}) for way in ways),
    )
    outcomes = [row[0] for row in query(tmp_path, "pages", "outcome")]
    assert outcomes == [outcome.value for outcome in Outcome] + ["fetched"] * len(ways)
    vias = [row[0] for row in query(tmp_path, "pages", "via")]
    assert vias[-len(ways) :] == [way.value for way in ways]


def test_links_as_duckdb_sees_them(tmp_path: Path) -> None:
    links = (
        link("http://b.example/1", anchor="One", rel="nofollow"),
        link("http://c.example:81/2", kind=LinkKind.CANONICAL),
    )
    store_all(tmp_path, kept(links=links))
    assert query(tmp_path, "links", "* exclude (fetched_at)") == [
        ("http://a.example/", "http://b.example/1", "a", "One", "nofollow", "", "b.example", None),
        ("http://a.example/", "http://c.example:81/2", "canonical", "", "", "", "c.example", None),
    ]
    assert query(tmp_path, "pages", "links") == [(2,)]


def test_links_belong_to_the_visit_that_found_them(tmp_path: Path) -> None:
    """A page may be visited again, and have other links then."""
    old, new = (link(f"http://b.example/{name}") for name in ("old", "new"))
    for started, links in ((1.25, (old, new)), (9.5, (new,))):
        store_all(tmp_path / str(started), kept(links=links, page={"started": started}))
    out = tmp_path / "9.5"
    [(latest,)] = query(out, "pages", "max(epoch_us(fetched_at))")
    assert query(out, "links", f"target where epoch_us(fetched_at) = {latest}") == [
        (new.target.text,)
    ]
    assert query(tmp_path / "1.25", "links", "epoch_us(fetched_at)") == [(1_250_000,)] * 2


def test_links_of_a_spool_of_before_have_no_date(tmp_path: Path) -> None:
    page = [
        "http://a.example/",
        ["http://b.example/"],
        ["b.example"],
        ["a"],
        ["x"],
        [""],
        [""],
        [None],
    ]
    rows = tables.rows_of(LINKS_TABLE, [pack(page)])
    assert rows.column("fetched_at").to_pylist() == [None]
    assert rows.column("source").to_pylist() == ["http://a.example/"]


def test_text_that_is_no_utf8_is_kept_as_far_as_possible(tmp_path: Path) -> None:
    links = (link(anchor="a\ud800b"), link(anchor="\udcff"), link(anchor="日本語\0"))
    visit = kept(title="\ud83d and \x00", links=links, page={"detail": "\udc80"})
    store_all(tmp_path, visit, failure(Outcome.RESET))
    assert query(tmp_path, "links", "anchor") == [("a?b",), ("?",), ("日本語\0",)]
    assert query(tmp_path, "pages", "title, detail") == [("? and \x00", "?"), (None, None)]


def test_such_text_survives_a_crash_too(tmp_path: Path) -> None:
    links = (link(anchor="a\ud800b"), link(anchor="日本語\0"))
    store = open_store(tmp_path)
    store.write(PageBatch([kept(title="\ud83d and \x00", links=links, page={"detail": "\udc80"})]))
    end(open_store(tmp_path, state=store.commit()))
    assert query(tmp_path, "links", "anchor, kind") == [("a?b", "a"), ("日本語\0", "a")]
    assert query(tmp_path, "pages", "title, detail, outcome, status, etag") == [
        ("? and \x00", "?", "fetched", 200, None)
    ]


def test_rows_from_the_spool_are_as_they_were(tmp_path: Path) -> None:
    visits = [
        kept(visit={"via": Via.REDIRECT}, links=(link(kind=LinkKind.FEED, rel="next"),)),
        kept(page={"truncated": Truncation.TIME}, original=Original("http://o.example/", 5.0)),
        failure(Outcome.TIMEOUT, detail="slow"),
    ]
    store_all(tmp_path / "straight", *visits)
    store = open_store(tmp_path / "crashed")
    store.write(PageBatch(visits))
    end(open_store(tmp_path / "crashed", state=store.commit()))
    # Records are as long as their random identities compress.
    but_places = EVERYTHING.replace("*", "* exclude (warc_offset, warc_length)")
    for table, columns in (("pages", but_places), ("links", EVERY_LINK)):
        straight = query(tmp_path / "straight", table, columns)
        assert query(tmp_path / "crashed", table, columns) == straight != []


def test_an_impossible_status_is_null(tmp_path: Path) -> None:
    store_all(tmp_path, kept(page={"status": 99999}), kept(page={"status": -1}))
    assert query(tmp_path, "pages", "status") == [(None,), (None,)]


def test_tables_without_rows_can_be_asked(tmp_path: Path) -> None:
    store_all(tmp_path)
    assert query(tmp_path, "pages", "*") == []
    assert query(tmp_path, "links", "*") == []


def test_a_file_is_written_when_there_are_enough_rows(tmp_path: Path) -> None:
    store = open_store(tmp_path, StoreSettings(rows=40))
    for number in range(25):
        store.write(
            PageBatch([kept(f"http://example.com/{number}", links=(link(), link(), link()))])
        )
    files = sorted(path.name for path in (tmp_path / "pages").iterdir())
    assert files == ["00000-00000.parquet", "00000-00001.parquet"]
    assert len(query(tmp_path, "pages", "url")) == 20
    end(store)
    assert len(query(tmp_path, "pages", "distinct url")) == 25
    assert query(tmp_path, "links", "count(*)") == [(75,)]


def test_files_are_compressed_with_zstd(tmp_path: Path) -> None:
    store_all(tmp_path, kept(links=(link(),)))
    for table in ("pages", "links"):
        meta = pq.ParquetFile(tmp_path / table / "00000-00000.parquet").metadata
        group = meta.row_group(0)
        assert {group.column(n).compression for n in range(group.num_columns)} == {"ZSTD"}


def test_a_resumed_crawl_adds_files(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.write(PageBatch([kept("http://example.com/1")]))
    again = open_store(tmp_path, state=end(store))
    again.write(PageBatch([kept("http://example.com/2")]))
    end(again)
    assert sorted(query(tmp_path, "pages", "url")) == [
        ("http://example.com/1",),
        ("http://example.com/2",),
    ]
    assert again.statistics().pages == 2
    assert again.statistics().table_files == len(list(tmp_path.rglob("*.parquet"))) == 3


def test_partitions_write_beside_each_other(tmp_path: Path) -> None:
    for partition in (0, 7):
        store = open_store(tmp_path, partition=partition)
        store.write(PageBatch([kept(f"http://example.com/{partition}")]))
        end(store)
    names = sorted(path.name for path in (tmp_path / "pages").iterdir())
    assert names == ["00000-00000.parquet", "00007-00000.parquet"]
    assert [path.name[24:] for path in warc_files(tmp_path)] == [
        "00000-00000.warc.gz",
        "00007-00000.warc.gz",
    ]


def test_numbers_can_be_skipped_by_and_repetitions_are_kept_once(tmp_path: Path) -> None:
    store_all(tmp_path, kept(links=(link(), link(), link())))
    pages, links = (tmp_path / name / "00000-00000.parquet" for name in ("pages", "links"))
    assert [name for name, column in columns(pages) if column.is_stats_set][:3] == [
        "status",
        "fetched_at",
        "seconds",
    ]
    assert not any(column.has_dictionary_page for name, column in columns(pages) if name == "url")
    assert [name for name, column in columns(links) if column.is_stats_set] == ["fetched_at"]
    assert all(column.has_dictionary_page for _, column in columns(links))


def columns(path: Path) -> list[tuple[str, pq.ColumnChunkMetaData]]:
    group = pq.read_metadata(path).row_group(0)
    return [(one.path_in_schema, one) for one in map(group.column, range(group.num_columns))]


def test_long_links_fill_a_file_before_many_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_MOST_BYTES", 5000)
    long = link(f"http://b.example/{'x' * 2000}")
    store = open_store(tmp_path)
    for _ in range(3):
        store.write(PageBatch([kept(links=(long, long, long))]))
    end(store)
    rows = [pq.read_metadata(path).num_rows for path in sorted((tmp_path / "links").iterdir())]
    assert rows == [3, 3, 3]


def test_links_of_a_parser_of_ones_own_may_be_any_sequence(tmp_path: Path) -> None:
    anchors = UserList(["é\ud800"])
    links = Links("http://a.example/", [url("http://b.example/")], ["a"], anchors, [""])  # type: ignore[list-item]
    one = kept()
    store_all(tmp_path, replace(one, document=replace(one.document, links=links)))
    assert query(tmp_path, "links", "anchor, kind, position") == [("é?", "a", "")]


def test_links_say_why_they_were_refused(tmp_path: Path) -> None:
    one, other, third = (link(f"http://{name}.example/") for name in "bcd")
    refused = [None, Refusal.TOO_DEEP, Refusal.NOFOLLOW]
    store = open_store(tmp_path)
    store.write(
        PageBatch(
            [
                kept(links=(one, other, third)),
                kept("http://example.com/2", links=(third,)),
                kept("http://example.com/3"),
            ]
        ),
        [Followed(refused), Followed(), Followed()],
    )
    end(store)
    assert query(tmp_path, "links", "target, refused") == [
        ("http://b.example/", None),
        ("http://c.example/", "too_deep"),
        ("http://d.example/", "nofollow"),
        ("http://d.example/", None),
    ]


def test_redirects_say_where_they_lead(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.write(
        PageBatch(
            [kept("http://example.com/1", page={"status": 301}), kept("http://example.com/2")]
        ),
        [Followed((), "http://b.example/", Refusal.OUT_OF_SCOPE), Followed()],
    )
    end(store)
    assert query(tmp_path, "pages", "redirect_to, redirect_refused") == [
        ("http://b.example/", "out_of_scope"),
        (None, None),
    ]


def test_rows_of_a_spool_of_before_have_nothing_in_the_new_columns(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.write(PageBatch([kept(links=(link(), link("http://c.example/")))]))
    state = store.commit()
    work = tmp_path / "state" / "00000" / "output"
    states = {}
    for name, columns in (("pages", 36), ("links", 7)):
        found = read_spool(work, name, getattr(state, name).spool)
        before = Spool(tmp_path / "before", name, SpoolState())
        before.append([pack(list(item)[:columns]) for item in found])
        states[name] = replace(getattr(state, name), spool=before.commit())
        before.close()
    for path in (tmp_path / "before").iterdir():
        path.replace(work / path.name)
    end(open_store(tmp_path, state=replace(state, **states)))
    assert query(tmp_path, "pages", "url, redirect_to") == [("http://example.com/", None)]
    assert query(tmp_path, "links", "target, refused") == [
        ("http://b.example/", None),
        ("http://c.example/", None),
    ]
