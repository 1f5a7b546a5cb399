"""A request as a program gives it, as a line of a seed list, and as it goes through the crawl."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Self
from urllib.parse import urlencode

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from xxhash import xxh3_64_intdigest

from gossamer.core.errors import SeedError
from gossamer.core.request.lookup_query import lookup_query
from gossamer.core.request.redaction import redact
from gossamer.core.url import Spelling, Url
from gossamer.core.url.surt import transform_appended

FORM = "application/x-www-form-urlencoded"
METHODS = ("GET", "POST")
"""Others change what they name, or bring no page."""
_MOST_BODY = 1 << 20
"""Bytes of a body: it waits in the frontier with its URL, and stands in the journal."""

_SAME_METHOD = (307, 308)
"""Redirects after which a request is made as it was; after others, a POST becomes a GET."""

_MEDIA_TYPE = re.compile(r"[!-~]+/[!-~]+(?:;[ -~]+)?")
_SESSION = re.compile(r"[\w.-]{0,64}", re.ASCII)


class Request(Struct, frozen=True):
    """A request to a server that is more than a URL: a seed of a crawl like any other.

    >>> Request("https://a.test/search", body="q=cake").method
    'POST'
    >>> Request.form("https://a.test/search", {"q": "a cake"}).body
    b'q=a+cake'
    >>> Request("https://a.test/", method="PUT")
    Traceback (most recent call last):
    gossamer.core.errors.SeedError: request to https://a.test/: method 'PUT' is not GET or POST; use one of \
these
    """

    url: str
    method: str = "POST"
    body: str | bytes = b""
    """Text is sent as UTF-8."""
    media_type: str = FORM
    """The Content-Type of the body."""
    session: str = ""
    """In whose name: the part before `@` in `fetch.cookies` and `fetch.logins`; empty for the host's own."""

    def __post_init__(self) -> None:
        if problem := self._find_problem():
            raise SeedError(f"request to {self.url:.200}: {problem}")

    def _find_problem(self) -> str:
        if self.method not in METHODS:
            return f"method {self.method!r:.40} is not GET or POST; use one of these"
        if self.method == "GET" and self.body:
            return "a GET has no body; leave the body out, or use POST"
        if len(self.content) > _MOST_BODY:
            return f"its body has {len(self.content):,} bytes; at most {_MOST_BODY:,} can be sent"
        if not _MEDIA_TYPE.fullmatch(self.media_type):
            return f"{self.media_type!r:.80} is not a media type; write e.g. media_type={FORM!r}"
        if not _SESSION.fullmatch(self.session):
            return f"session {self.session!r:.80} is not a name; use letters, digits, - and _ only"
        return ""

    @classmethod
    def form(
        cls,
        url: str,
        fields: Mapping[str, Any] | Sequence[tuple[str, Any]],
        *,
        session: str = "",
    ) -> Self:
        """The request that a browser makes for a form with these fields."""
        return cls(url, body=urlencode(fields, doseq=True).encode(), session=session)

    @classmethod
    def json(cls, url: str, value: Any, *, session: str = "") -> Self:
        """The request that a script makes to an interface that takes JSON."""
        body = json.dumps(value, ensure_ascii=False).encode()
        return cls(url, body=body, media_type="application/json", session=session)

    @property
    def content(self) -> bytes:
        """The body as it is sent."""
        return self.body if isinstance(self.body, bytes) else self.body.encode("utf-8", "replace")

    @property
    def line(self) -> str:
        """The request as one line of a seed list.

        >>> Request("https://a.test/", body="q=1").line
        '{"url":"https://a.test/","method":"POST","body":"q=1"}'
        """
        body, coded = self.content, b""
        try:
            text = body.decode()
        except UnicodeDecodeError:
            text, coded = "", body
        media_type = "" if self.media_type == FORM else self.media_type
        line = _Line(self.url, self.method, text, coded, media_type, self.session)
        return msgspec.json.encode(line).decode()

    def __str__(self) -> str:
        return self.line

    def at(self, url: Url) -> Url:
        """The same at a URL in its canonical spelling: that URL, if there is nothing to add to it.

        >>> from gossamer.core.url import parse
        >>> there = parse("http://a.test/")
        >>> Request("http://a.test", method="GET").at(there) is there
        True
        """
        if self.method == "GET" and not self.session:
            return url
        media_type = self.media_type if self.method != "GET" else ""
        return at_url(url, SentPart(self.method, self.content, media_type, self.session))


class _Line(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    url: str
    method: str
    body: str = ""
    body_base64: bytes = b""
    media_type: str = ""
    session: str = ""


_decode = msgspec.json.Decoder(_Line).decode


def is_request_line(text: str) -> bool:
    """Is a line of a seed list a request, and no URL?"""
    return text.lstrip().startswith("{")


def read_request(text: str) -> Request:
    """The request that a line stands for.

    >>> read_request('{"url": "https://a.test/", "method": "POST", "body": "q=1"}').content
    b'q=1'
    >>> read_request('{"url": "https://a.test/"}')
    Traceback (most recent call last):
    gossamer.core.errors.SeedError: request {"url": "https://a.test/"}: Object missing required field \
`method`; write e.g. {"url": "https://example.org/", "method": "POST", "body": "q=1"}
    """
    try:
        line = _decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        advice = 'write e.g. {"url": "https://example.org/", "method": "POST", "body": "q=1"}'
        raise SeedError(f"request {text.strip():.200}: {error}; {advice}") from None
    body = line.body_base64 or line.body
    return Request(line.url, line.method, body, line.media_type or FORM, line.session)


class SentPart(Struct, frozen=True, array_like=True, gc=False):
    """The parts of a request beside its URL, as it waits on disk."""

    method: str
    body: bytes
    media_type: str
    session: str


class RequestUrl(Url, frozen=True, gc=False):
    """A URL with what is sent there. Its key is that of the whole request, so it is another one than the URL.

    >>> from gossamer.core.url import parse
    >>> url = parse("http://a.test/s?x=1")
    >>> asked = Request("http://a.test/s?x=1", body="q=cake").at(url)
    >>> asked == url, asked.key == url.key, asked.text == url.text
    (False, False, True)
    >>> asked.lookup
    'http://a.test/s?x=1&__wb_method=POST&q=cake'
    """

    sent: SentPart

    def after_redirect(self, status: int, target: Url) -> Url:
        """The request where a redirect leads: the same, or a GET (RFC 9110, 15.4).

        >>> from gossamer.core.url import parse
        >>> asked = Request("", body="q=1").at(parse("http://a.test/s"))
        >>> there = parse("http://a.test/t")
        >>> [asked.after_redirect(status, there) == there for status in (303, 307)]
        [True, False]
        """
        sent = self.sent
        if status not in _SAME_METHOD:
            sent = SentPart("GET", b"", "", sent.session)
        return target if sent.method == "GET" and not sent.session else at_url(target, sent)

    def written_body(self, names: Sequence[str]) -> bytes:
        """The body as an archive has it: `names` are parts of the names of secret fields."""
        return redact(self.sent.media_type, self.sent.body, names)

    def written_query(self, names: Sequence[str]) -> str:
        """The query that replay tools append to the URL to find the capture; empty for a GET."""
        return lookup_query(self.sent.method, self.sent.media_type, self.written_body(names))

    @property
    def line(self) -> str:
        """The request as one line of a seed list."""
        media_type = self.sent.media_type or FORM
        parts = (self.text, self.sent.method, self.sent.body, media_type, self.sent.session)
        return Request(*parts).line

    def surt_of(self, query: str) -> str:
        """The key in a CDXJ index of the URL with a query appended, as pywb and cdxj-indexer make it."""
        if not query:
            return self.surt
        return transform_appended(self.text, self.host, self.origin, self.path, query)

    def written_key(self, names: Sequence[str]) -> int:
        """The key of the request as it is written: it tells nothing of a secret."""
        return at_url(self, replace(self.sent, body=self.written_body(names))).key

    @property
    def lookup(self) -> str:
        """The URL with what is appended to it, as replay tools look it up."""
        return append_query(self.text, self.written_query(()))


def at_url(url: Url, sent: SentPart) -> RequestUrl:
    """A request to a URL, with its key."""
    parts = (sent.method, url.text, sent.media_type, sent.session)
    head = "\n".join(parts).encode("utf-8", "surrogatepass")  # no part has a line end, but the body
    key = xxh3_64_intdigest(head + b"\n" + sent.body)
    return RequestUrl(url.text, url.host, url.origin, key, sent)


def parse(text: str, spelling: Spelling) -> Url | None:
    """The URL or the request that a text stands for; None when it is no URL."""
    if not is_request_line(text):
        return spelling.parse(text)
    request = read_request(text)
    url = spelling.parse(request.url)
    return None if url is None else request.at(url)


def line_of(url: Url) -> str:
    """The line of a seed list for a URL or a request.

    >>> from gossamer.core.url import parse
    >>> line_of(parse("http://a.test")), line_of(Request("", session="me").at(parse("http://a.test")))
    ('http://a.test/', '{"url":"http://a.test/","method":"POST","session":"me"}')
    """
    return url.line if isinstance(url, RequestUrl) else url.text


def name_seed(text: str) -> str:
    """A seed as logs name it: of a request the method and the URL, for its body may have secrets.

    >>> name_seed('{"url": "https://a.test/", "method": "POST", "body": "pin=1"}'), name_seed("a.test")
    ('POST https://a.test/', 'a.test')
    """
    if not is_request_line(text):
        return text
    request = read_request(text)
    return f"{request.method} {request.url}"


def append_query(url: str, query: str) -> str:
    """
    >>> append_query("http://a.test/?b", "c"), append_query("http://a.test/", "c")
    ('http://a.test/?b&c', 'http://a.test/?c')
    """
    return f"{url}{'&' if '?' in url else '?'}{query}" if query else url
