"""A finished crawl as a graph: what was fetched, who links to whom, and the texts if they are wanted."""

import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from gossamer.core.errors import DirectoryError
from gossamer.core.http import content_codings, is_chunked
from gossamer.core.url import Url
from gossamer.lab.crawl_orders.known_web import LabGraph
from gossamer.pipeline.fetch.decode import dechunk, decode
from gossamer.pipeline.fetch.response_head import parse_fields
from gossamer.pipeline.parse.encodings import to_utf8
from gossamer.pipeline.parse.html_kernel import Reader
from gossamer.policy.order.batch_gathering import name_key

_PAGE_COLUMNS = ["url", "host", "status", "title", "via", "source", "digest"]
_TEXT_COLUMNS = ["charset", "warc_file", "warc_offset", "warc_length"]
_LARGEST = 64 << 20
_READER = Reader(max_links=0)


def read_crawl(directory: Path, *, with_text: bool = False) -> LabGraph:
    """The pages that answered in a crawl, with the links among them; nodes in the order of fetching.

    A redirect is a page that links to where it leads. With `with_text`, the texts are read from the WARC
    files.
    """
    pages = _read(directory, "pages", [*_PAGE_COLUMNS, *(_TEXT_COLUMNS if with_text else ())])
    pages = _latest(pages.filter(pc.is_valid(pages["status"])))
    urls = pages["url"].to_pylist()
    numbers = {url: number for number, url in enumerate(urls)}
    offsets, targets, anchors = _join(numbers, len(urls), _links(directory, pages))
    hosts = pages["host"].to_pylist()
    return LabGraph(
        offsets,
        targets,
        np.array([name_key(host) for host in hosts], np.uint64),
        np.array([name_key(Url("", host, "", 0).domain) for host in hosts], np.uint64),
        urls,
        [title or "" for title in pages["title"].to_pylist()],
        _texts(directory, pages) if with_text else (),
        anchors,
    )


def _latest(pages: "pa.Table") -> "pa.Table":
    """Of several visits to a page the last counts that brought other content than the one before."""
    last: dict[str, int] = {}
    digests = pages["digest"].to_pylist()
    for number, url in enumerate(pages["url"].to_pylist()):
        if url not in last or digests[number] != digests[last[url]]:
            last[url] = number
    return pages.take(sorted(last.values()))


def _links(directory: Path, pages: "pa.Table") -> tuple[list[str], list[str], list[str]]:
    """Sources, targets and anchors of all links that are to be followed, redirects among them."""
    links = _read(directory, "links", ["source", "target", "anchor", "rel"])
    links = links.filter(pc.invert(pc.match_substring(links["rel"].cast("string"), "nofollow")))
    hops = pages.filter(pc.equal(pages["via"].cast("string"), "redirect"))
    sources = [*links["source"].to_pylist(), *(one or "" for one in hops["source"].to_pylist())]
    targets = [*links["target"].to_pylist(), *hops["url"].to_pylist()]
    return sources, targets, [*links["anchor"].to_pylist(), *("" for _ in range(len(hops)))]


def _join(
    numbers: dict[str, int], count: int, links: tuple[list[str], list[str], list[str]]
) -> tuple[Any, Any, list[str]]:
    """Links among known pages, those of each page together."""
    rows = [
        (numbers[source], numbers[target], anchor)
        for source, target, anchor in zip(*links, strict=True)
        if source in numbers and target in numbers
    ]
    sources = np.array([row[0] for row in rows], np.int64)
    order = np.argsort(sources, kind="stable")
    offsets = np.concatenate(([0], np.cumsum(np.bincount(sources, minlength=count))))
    targets = np.array([row[1] for row in rows], np.int64)[order]
    return offsets, targets, [rows[place][2] for place in order.tolist()]


def _texts(directory: Path, pages: "pa.Table") -> list[str]:
    columns = (pages[name].to_pylist() for name in _TEXT_COLUMNS)
    return [
        _text(_body(directory / "warc" / file, offset, length), charset or "utf-8") if file else ""
        for charset, file, offset, length in zip(*columns, strict=True)
    ]


def _body(file: Path, offset: int, length: int) -> bytes:
    """The body in one response record, decoded; empty for a record of another kind."""
    with file.open("rb") as stream:
        stream.seek(offset)
        record = zlib.decompressobj(31).decompress(stream.read(length))
    fields, _, message = record.partition(b"\r\n\r\n")
    if b"WARC-Type: response" not in fields:
        return b""
    head, _, payload = message.removesuffix(b"\r\n\r\n").partition(b"\r\n\r\n")
    headers = parse_fields(head.split(b"\r\n")[1:])
    if is_chunked(headers):
        payload = dechunk(payload).body
    return decode(payload, content_codings(headers), _LARGEST).body


def _text(html: bytes, charset: str) -> str:
    """The visible text of an HTML page."""
    return _READER.read(to_utf8(html, charset or "utf-8")).text.decode("utf-8", "replace")


def _read(directory: Path, name: str, columns: list[str]) -> "pa.Table":
    files = sorted((directory / name).glob("*.parquet"))
    if not files:
        raise DirectoryError(f"{directory} has no {name} table; is it the directory of a crawl?")
    return pa.concat_tables(
        [parquet.read_table(file, columns=columns) for file in files]
    ).unify_dictionaries()
