"""SURT, the Sort-friendly URI Reordering Transform: the key that web archives are sorted by.

The host's labels stand in reverse order, so that a sorted index keeps a domain together. Replay
tools look a URL up by its SURT and must find what we wrote, so this does what pywb does through the
`surt` package, found out by comparing answers: it is coarser than our own spelling on purpose.
Lower case throughout; a leading `www`, `www2` … dropped; escapes decoded again and again, as Google
Safe Browsing describes, then only what must be escaped escaped; repeated and trailing slashes
dropped; known session ids dropped; parameters sorted. IPv4 addresses are reversed like names.
"""

import re
from functools import lru_cache

_ROUNDS = 8
"""How often escapes of escapes are decoded: a bound, so that no input takes quadratic time."""

_WWW = re.compile(r"www\d*\.(?=.)").match
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})")
_UNSAFE = re.compile("[\x00-\x20\x7f-\xff#%]")
_LINE_ENDS = re.compile("[\\n\\r\\t]")
_BLANKS = " \t\n\r\x0b\x0c"
_SLASHES = re.compile("/{2,}")

_SESSION_FOLDER = re.compile(r"/\((?:(?:[a-z]\([0-9a-z]{24}\)){1,9}|[0-9a-z]{24})\)(?=/)").search
_SESSION_PARAMETERS = [
    re.compile(pattern + "(?:&|$)")
    for pattern in (
        "jsessionid=[0-9a-z]{32}",
        "phpsessid=[0-9a-z]{32}",
        "sid=[0-9a-z]{32}",
        "aspsessionid[a-z]{8}=[a-z]{24}",
        "(?<![^&])cfid=[^&]+&cftoken=[^&]+",
    )
]


def transform(text: str, host: str, origin: str, path: str) -> str:
    """The SURT of a URL in canonical spelling; of one without a host, itself in lower case.

    >>> transform("https://www.a.org/B?y&x", "www.a.org", "https://www.a.org", "/B?y&x")
    'org,a)/b?x&y'
    """
    if not host:
        return text.lower()
    folder, _, query = path.partition("?")
    query = _transform_query(query) if query else ""
    return f"{_transform_host(host)}{_port(host, origin)}){_transform_path(folder)}{query}"


@lru_cache(maxsize=1024)
def _transform_host(host: str) -> str:
    """Remembered, because the pages of a host come in a row."""
    if host[0] == "[":
        return host[1:-1]
    www = _WWW(host)
    labels = host[www.end() :] if www else host
    return ",".join(label for label in reversed(labels.split(".")) if label)


def _port(host: str, origin: str) -> str:
    return origin[origin.find(host) + len(host) :] if origin != "null" else ""


def _transform_path(path: str) -> str:
    path = _respell(path)
    if "/." in path:
        path = _without_dot_segments(path)
    if "(" in path:
        path = _without_session(path)
    if "//" in path:
        path = _SLASHES.sub("/", path)
    return path.rstrip("/") or "/"


def _without_session(path: str) -> str:
    """Without the folder that holds a session of ASP.NET, if a page of it follows."""
    found = _SESSION_FOLDER(path, 0, max(0, path.rfind(".aspx")))
    return path[: found.start()] + path[found.end() :] if found else path


def _without_dot_segments(path: str) -> str:
    kept: list[str] = []
    for segment in path.split("/"):
        if segment not in (".", ".."):
            kept.append(segment)
        elif segment == ".." and len(kept) > 1:
            kept.pop()
    return "/".join(kept)


def transform_appended(text: str, host: str, origin: str, path: str, appended: str) -> str:
    """The SURT of a URL to whose query something was appended that has no escapes and may be any text.

    >>> url = ("http://a.org/s?b=2", "a.org", "http://a.org", "/s?b=2")
    >>> transform_appended(*url, "a=x Y#z")
    'org,a)/s?a=x%20y&b=2'
    """
    folder, _, query = path.partition("?")
    query = f"{query}&{appended}" if query else appended
    octets = _LINE_ENDS.sub("", query.encode("utf-8", "replace").decode("latin-1").rstrip(_BLANKS))
    query = octets.partition("#")[0]
    if "%" not in query:  # else it is done below
        query = _UNSAFE.sub(_escape, query)
    return f"{transform(text, host, origin, folder)}{_transform_query(query)}"


def _transform_query(query: str) -> str:
    query = _respell(query)
    for session in _SESSION_PARAMETERS:
        query = session.sub("", query, count=1)
    if not query:
        return ""
    return "?" + "&".join(sorted(query.split("&"), key=lambda pair: pair.split("=", 1)))


def _respell(text: str) -> str:
    """Lower case, and only what must be escaped is."""
    if "%" in text:
        for _ in range(_ROUNDS):
            decoded = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
            if decoded == text:
                break
            text = decoded
        text = _UNSAFE.sub(_escape, text)
    return text.lower()


def _escape(match: re.Match[str]) -> str:
    return f"%{ord(match[0]):02x}"
