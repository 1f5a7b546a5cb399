"""Messages between the crawl and a child process: a page one way, a report the other."""

import os
from struct import Struct as Layout
from typing import Any

import msgspec
from msgspec import Struct

from gossamer.core.outcomes import Outcome, ParseFailure
from gossamer.core.records import Document, Headers, LinkKind, Page, Visit
from gossamer.core.url import parse

LENGTH = Layout("<I")
MAX_REPORT = 32 << 20
"""Bytes of a report; a page that says more is one too many."""
HELLO = LENGTH.pack(0)
"""A report without content: the child has started."""

_Link = tuple[str, LinkKind, str, str]


class SandboxTask(Struct, frozen=True, array_like=True):
    """A page to be read; its body follows."""

    reference: str
    """The parser, as `package.module:function`."""
    url: str
    status: int
    started: float
    fields: list[tuple[str, str]]


class SandboxReport(Struct, frozen=True, array_like=True):
    """The result of a page."""

    failure: ParseFailure = ParseFailure.NONE
    detail: str = ""
    title: str = ""
    charset: str = ""
    media_type: str = ""
    links: list[_Link] = []
    """Target, kind, anchor and rel of each."""
    bad_links: int = 0
    is_indexable: bool = True
    is_followable: bool = True
    text: bytes = b""
    trace: str = ""
    """The traceback of what the parser raised; empty when it raised nothing."""
    items: tuple[dict[str, Any], ...] = ()


_encode = msgspec.msgpack.Encoder().encode
_decode_task = msgspec.msgpack.Decoder(SandboxTask).decode
_decode_report = msgspec.msgpack.Decoder(SandboxReport).decode


def write_task(reference: str, page: Page) -> int:
    """Put a page into a file that is nowhere but in memory; returns its descriptor."""
    fields = [(clean(name), clean(value)) for name, value in page.headers]
    task = SandboxTask(reference, page.url, page.status, page.started, fields)
    head = _encode(task)
    descriptor = os.memfd_create("gossamer-page", os.MFD_CLOEXEC)
    try:
        with open(descriptor, "wb", closefd=False) as file:
            file.write(LENGTH.pack(len(head)) + head)
            file.write(page.body)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_task(descriptor: int) -> tuple[str, Page]:
    """The parser's name and the page; the descriptor is closed."""
    with open(descriptor, "rb") as file:
        file.seek(0)
        (length,) = LENGTH.unpack(file.read(LENGTH.size))
        task = _decode_task(file.read(length))
        body = file.read()
    url = parse(task.url)
    assert url is not None, "only pages with a URL are given away"
    headers = Headers(task.fields)
    return task.reference, Page(
        Visit(url), Outcome.FETCHED, task.started, 0.0, task.status, headers, body=body
    )


def write_report(report: SandboxReport) -> bytes:
    data = _encode(report)
    if len(data) > MAX_REPORT:
        data = _encode(SandboxReport(ParseFailure.TOO_LARGE, f"a report of {len(data)} bytes"))
    return LENGTH.pack(len(data)) + data


def read_report(data: bytes) -> SandboxReport:
    try:
        return _decode_report(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return SandboxReport(ParseFailure.CRASHED, "the parser's process sent invalid data")


def report_of(document: Document) -> SandboxReport:
    """The report of a document, without its page, which the other process has."""
    return SandboxReport(
        document.failure,
        clean(document.page.detail),
        clean(document.title),
        document.charset,
        document.media_type,
        [(link.target.text, link.kind, clean(link.anchor), link.rel) for link in document.links],
        document.bad_links,
        document.is_indexable,
        document.is_followable,
        document.text_utf8,
        items=document.items,
    )


def clean(text: str) -> str:
    """Lone surrogates have no bytes in UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
