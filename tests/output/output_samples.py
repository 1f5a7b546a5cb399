"""Finished visits to write, and eyes to read them back with: those of other people's tools."""

import gzip
import json
from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path
from typing import Any

import duckdb
from fastwarc.warc import ArchiveIterator, WarcRecord
from warcio.checker import Checker

from gossamer.analyzers.change import annotate_changes
from gossamer.core.clock import VirtualClock
from gossamer.core.outcomes import Outcome
from gossamer.core.page_batch import Annotations, PageBatch
from gossamer.core.records import Document, Headers, Judged, Link, Page, Visit
from gossamer.core.settings import StoreSettings
from gossamer.core.url import Url, parse
from gossamer.output import Store, StoreState
from tests.present import present

START = 1_700_000_000.25
HTML = b"<title>A page</title>" + b"<p>words and more words</p>" * 40


def url(text: str) -> Url:
    parsed = parse(text)
    assert parsed is not None, text
    return parsed


def kept(
    where: str = "http://example.com/",
    payload: bytes = HTML,
    head: bytes = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
    *,
    links: tuple[Link, ...] = (),
    title: str = "",
    media_type: str = "text/html",
    digest: bytes | None = None,
    visit: dict[str, Any] | None = None,
    page: dict[str, Any] | None = None,
    **found: Any,
) -> Judged:
    """A fetched page; `visit` and `page` change those records, `found` the outermost."""
    fields: dict[str, Any] = {
        "started": START,
        "seconds": 0.5,
        "status": 200,
        "headers": Headers([("Content-Type", "text/html")]),
        "request": b"GET / HTTP/1.1\r\nHost: example.com\r\n\r\n",
        "head": head,
        "payload": payload,
        "body": payload,
        "address": "192.0.2.1",
    }
    fields.update(page or {})
    outcome = fields.pop("outcome", Outcome.FETCHED)
    document = Document(
        Page(Visit(url(where), **(visit or {})), outcome, **fields),
        title=title,
        charset="utf-8",
        media_type=media_type,
        links=links,
    )
    return Judged(document, sha1(payload).digest() if digest is None else digest, **found)


def failure(outcome: Outcome, where: str = "http://example.com/", **page: Any) -> Judged:
    """A visit that brought nothing."""
    document = Document(Page(Visit(url(where)), outcome, START, **page))
    return Judged(document)


def open_store(out: Path, settings: StoreSettings | None = None, **more: Any) -> Store:
    given: dict[str, Any] = {
        "crawl_toml": '[crawl]\nseeds = ["http://example.com/"]\n',
        "user_agent": "Gossamer/0.1 (+http://example.org/bot)",
        "operator": "http://example.org/bot",
    }
    given.update(more)
    return Store(out, settings or StoreSettings(), VirtualClock(START), **given)


def store_all(
    out: Path,
    *batch: Judged,
    settings: StoreSettings | None = None,
    columns: Annotations | None = None,
) -> Store:
    """Write the visits, with what analyzers say of them, and end."""
    store = open_store(out, settings)
    store.write(PageBatch(batch, {**annotate_changes(batch), **(columns or {})}))
    end(store)
    return store


def end(store: Store) -> StoreState:
    """What a crawl does when it is over; returns the state that another one goes on from."""
    store.finish()
    state = store.commit()
    store.tidy()
    store.close()
    return state


def warc_files(out: Path) -> list[Path]:
    return sorted((out / "warc").glob("*.warc.gz"))


def records(out: Path) -> Iterator[WarcRecord]:
    """Every record, in order, as fastwarc reads it; HTTP is not parsed yet."""
    for path in warc_files(out):
        yield from ArchiveIterator(str(path), parse_http=False)


def fields_of(out: Path, kind: str) -> list[dict[str, str]]:
    """The WARC header fields of all records of a kind."""
    found = (record.headers.to_dict() for record in records(out))
    return [fields for fields in found if fields["WARC-Type"] == kind]


def blocks_of(out: Path, kind: str) -> list[bytes]:
    return [record.reader.read() for record in records(out) if record.headers["WARC-Type"] == kind]


def index_lines(out: Path) -> list[tuple[str, str, dict[str, str]]]:
    """The index, taken apart: SURT, timestamp and fields."""
    lines = (out / "warc" / "index.cdxj").read_text().splitlines()
    return [
        (surt, stamp, json.loads(rest)) for surt, stamp, rest in (x.split(" ", 2) for x in lines)
    ]


def member_at(out: Path, entry: dict[str, str]) -> bytes:
    """What an index entry points to: the bytes of exactly one gzip member, unpacked."""
    data = (out / "warc" / entry["filename"]).read_bytes()
    start, length = int(entry["offset"]), int(entry["length"])
    return gzip.decompress(data[start : start + length])


def query(out: Path, table: str, select: str) -> list[tuple[Any, ...]]:
    """Ask DuckDB; `select` begins with the columns and may end with conditions and order."""
    columns, _, rest = select.partition(" where ")
    where = f" where {rest}" if rest else ""
    found = duckdb.sql(f"select {columns} from read_parquet('{out}/{table}/*.parquet'){where}")
    return present(found).fetchall()


class _Command:
    verbose = False

    def __init__(self, inputs: list[str]) -> None:
        self.inputs = inputs


def check_with_warcio(out: Path) -> int:
    """What `warcio check` exits with: 0 when every digest and every record is right."""
    status: int = Checker(_Command([str(path) for path in warc_files(out)])).process_all()
    return status
