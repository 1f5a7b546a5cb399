"""The query that replay tools append to a URL to look up a request with a body.

Done as pywb 2.10 does it (`MethodQueryCanonicalizer`; its rules were found out by comparing answers),
and as cdxj-indexer 1.5 does where the two agree: `__wb_method=POST` and then

- the fields of a form, decoded; of a multipart form, percent-encoded;
- the values of JSON by their names, wherever they stand; a name that comes again gets a number;
- anything else in base64, as `__wb_post_data`.

What is appended has at most 4,096 characters. Where they do not agree (booleans, null and whole floats
of JSON, an empty body), it is done as pywb does, because it is pywb that looks up.
"""

import json
from base64 import b64encode
from math import modf
from typing import Any
from urllib.parse import unquote_plus, urlencode

from gossamer.core.request.multipart_body import find_boundary, read_parts

_MOST = 4096
"""Characters of a body in a key."""


def lookup_query(method: str, media_type: str, body: bytes) -> str:
    """The query to append to the URL; empty for a GET.

    >>> form = "application/x-www-form-urlencoded"
    >>> lookup_query("POST", form, b"q=a+cake&page=2"), lookup_query("POST", "image/png", b"ab")
    ('__wb_method=POST&q=a cake&page=2', '__wb_method=POST&__wb_post_data=YWI=')
    """
    if method == "GET":
        return ""
    query = _read_body(media_type, body)[:_MOST] if body else ""
    return f"__wb_method={method}&{query}" if query else f"__wb_method={method}"


def _read_body(media_type: str, body: bytes) -> str:
    if media_type.startswith("application/x-www-form-urlencoded"):
        try:
            return unquote_plus(body.decode())
        except UnicodeDecodeError:
            return _as_data(body)
    if media_type.startswith("multipart/"):
        boundary = find_boundary(media_type)
        return _read_multipart(body, boundary) if boundary else _as_data(body)
    if media_type.startswith(("application/json", "text/plain")):
        values = _read_json(body)
        if values is None:
            return _as_data(body) if media_type.startswith("text/plain") else ""
        return values
    return _as_data(body)


def _as_data(body: bytes) -> str:
    return f"__wb_post_data={b64encode(body).decode()}"


def _read_multipart(body: bytes, boundary: bytes) -> str:
    values = [
        (part.name, part.value if part.is_file else part.value.decode("utf-8", "replace"))
        for part in read_parts(body, boundary)
    ]
    return urlencode(values)


def _read_json(body: bytes) -> str | None:
    """The values of JSON as a query; None when it is none."""
    values: dict[str, str] = {}
    try:
        _gather(json.loads(body), "", values, {})
        return urlencode(values)
    except (ValueError, OverflowError, RecursionError):
        return None


def _gather(value: Any, name: str, values: dict[str, str], met: dict[str, int]) -> None:
    if isinstance(value, dict):
        for key, one in value.items():
            _gather(one, key, values, met)
    elif isinstance(value, list):
        for one in value:
            _gather(one, name, values, met)
    elif name:
        values[_unused(name, values, met)] = _spell(value)


def _unused(name: str, values: dict[str, str], met: dict[str, int]) -> str:
    if name not in values:
        return name
    met[name] = met.get(name, 1) + 1
    return f"{name}.{met[name]}_"


def _spell(value: Any) -> str:
    """A value as JavaScript writes it."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float) and modf(value)[0] == 0.0:
        return str(int(value))
    return str(value)
