"""Undo the codings of a body: Transfer-Encoding and Content-Encoding."""

from gossamer.core.records import Headers


def is_chunked(headers: Headers) -> bool:
    """Does the body come in chunks? Only if that was done to it last (RFC 9112, 6.3).

    >>> is_chunked(Headers([("Transfer-Encoding", "gzip, Chunked")]))
    True
    """
    codings = headers.get_all("transfer-encoding")
    return bool(codings) and codings[-1].lower().rpartition(",")[2].strip() == "chunked"


def content_codings(headers: Headers) -> str:
    """The codings of a body, first applied first; fields of the same name are one list.

    >>> content_codings(Headers([("Content-Encoding", "br"), ("content-encoding", "gzip")]))
    'br, gzip'
    """
    return ", ".join(headers.get_all("content-encoding"))
