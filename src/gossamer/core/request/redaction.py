"""Bodies without their secrets, as archives and tables have them.

A field of a form or of JSON whose name says that it is a password or a token keeps its name and loses
its value. A body of another kind in which such a name stands is left out as a whole: nobody can say
where the secret ends.
"""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote_plus, unquote_plus

from gossamer.core.request.multipart_body import find_boundary, read_parts

NOT_KEPT = "[not kept]"
"""Stands where a secret stood."""


def redact(media_type: str, body: bytes, names: Sequence[str]) -> bytes:
    """The body as it may be written down; `names` are parts of secret names, in lower case.

    >>> redact("application/x-www-form-urlencoded", b"user=me&Password=x", ["password"])
    b'user=me&Password=%5Bnot+kept%5D'
    >>> redact("application/json", b'{"user": "me", "auth": {"token": 7}}', ["token"])
    b'{"user": "me", "auth": {"token": "[not kept]"}}'
    >>> redact("text/csv", b"user,password", ["password"])
    b'[not kept]'
    """
    if not names or not body:
        return body
    kind = media_type.partition(";")[0].strip().lower()
    if kind == "application/x-www-form-urlencoded":
        return _redact_form(body, names)
    if kind.startswith("multipart/") and (boundary := find_boundary(media_type)):
        return _redact_parts(body, boundary, names)
    if kind in ("application/json", "text/plain") or kind.endswith("+json"):
        try:
            return _redact_json(body, names)
        except (ValueError, RecursionError):
            pass
    return NOT_KEPT.encode() if _is_secret(body.decode("utf-8", "replace"), names) else body


def _is_secret(name: str, names: Sequence[str]) -> bool:
    name = name.lower()
    return any(one in name for one in names)


def _redact_form(body: bytes, names: Sequence[str]) -> bytes:
    return b"&".join(_redact_pair(pair, names) for pair in body.split(b"&"))


def _redact_pair(pair: bytes, names: Sequence[str]) -> bytes:
    name, equals, _ = pair.partition(b"=")
    is_secret = _is_secret(unquote_plus(name.decode("utf-8", "replace")), names)
    return name + equals + quote_plus(NOT_KEPT).encode() if is_secret else pair


def _redact_parts(body: bytes, boundary: bytes, names: Sequence[str]) -> bytes:
    pieces, end, last = list[bytes](), 0, 0
    for part in read_parts(body, boundary):
        last = part.begin + len(part.value)
        if _is_secret(part.name, names):
            pieces += [body[end : part.begin], NOT_KEPT.encode()]
            end = last
    if _is_secret(body[last:].decode("utf-8", "replace"), names):  # it is cut, or has no parts
        return NOT_KEPT.encode()
    return b"".join((*pieces, body[end:]))


def _redact_json(body: bytes, names: Sequence[str]) -> bytes:
    """`ValueError` if it is no JSON, or has no fields."""
    has_secrets = False

    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal has_secrets
        secret = {name for name, _ in pairs if _is_secret(name, names)}
        has_secrets = has_secrets or bool(secret)
        return {name: NOT_KEPT if name in secret else value for name, value in pairs}

    written = json.loads(body, object_pairs_hook=build)
    if not isinstance(written, dict | list):
        raise ValueError("a single value")
    return json.dumps(written, ensure_ascii=False).encode() if has_secrets else body
