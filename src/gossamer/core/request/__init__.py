"""Requests that are more than a URL: a method, a body, a session.

In comes a `Request`, as a program or a line of a seed list gives it. Out comes a `RequestUrl`: a URL
that takes any place a plain one has on its way through the crawl, with a key made of all that the
request consists of. A plain URL is a GET without a session; it costs what it cost before.

`lookup_query` is what replay tools append to the URL to find the capture again, and `redact` what is
written down of a body that has a password or a token in it. The two go together: a lookup key is
made of the body as it is written, so that an index made from the WARC files agrees with ours.

Invariants: the same request has the same key, whatever made it; requests that differ in anything have
different keys; no `RequestUrl` is a plain GET.
"""

from gossamer.core.request.lookup_query import lookup_query
from gossamer.core.request.redaction import NOT_KEPT, redact
from gossamer.core.request.request import (
    METHODS,
    Request,
    RequestUrl,
    SentPart,
    append_query,
    at_url,
    is_request_line,
    line_of,
    name_seed,
    parse,
    read_request,
)

__all__ = [
    "METHODS",
    "NOT_KEPT",
    "Request",
    "RequestUrl",
    "SentPart",
    "append_query",
    "at_url",
    "is_request_line",
    "line_of",
    "lookup_query",
    "name_seed",
    "parse",
    "read_request",
    "redact",
]
