"""The request, as it goes over the wire."""

from base64 import b64encode

from gossamer.core.errors import SettingsError
from gossamer.core.request import SentPart
from gossamer.core.settings import FetchSettings
from gossamer.pipeline.fetch.decode import ACCEPTED

_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

FIELDS = (f"Accept: {_ACCEPT}", f"Accept-Encoding: {ACCEPTED}")
"""Header fields of every request, beside Host and User-Agent, which libcurl writes first."""


def write_personal_fields(settings: FetchSettings) -> dict[str, tuple[str, ...]]:
    """Header lines for hosts where we log in or send cookies; no other host ever sees them.

    >>> write_personal_fields(FetchSettings(cookies={"a.test": "x=1"}))
    {'a.test': ('Cookie: x=1',)}
    """
    fields: dict[str, tuple[str, ...]] = {}
    for name, secrets in (("logins", settings.logins), ("cookies", settings.cookies)):
        for host, value in secrets.items():
            if not is_sendable(value):
                raise SettingsError(f"fetch.{name}: only printable ASCII can be sent to {host}")
    for host, login in settings.logins.items():
        token = b64encode(login.encode()).decode()
        fields[host] = (f"Authorization: Basic {token}",)
    for host, cookies in settings.cookies.items():
        fields[host] = (*fields.get(host, ()), f"Cookie: {cookies}")
    return fields


def write_conditions(etag: str, last_modified: str) -> tuple[str, ...]:
    """Header lines that ask for a page only if it has changed (RFC 9110, section 13)."""
    lines = (("If-None-Match", etag), ("If-Modified-Since", last_modified))
    return tuple(f"{name}: {value}" for name, value in lines if value and is_sendable(value))


def is_sendable(value: str) -> bool:
    """May it stand in a header field as it is? Only what is printable and ASCII.

    >>> is_sendable("a b"), is_sendable("a\\r\\nX-Injected: b"), is_sendable("ü")
    (True, False, False)
    """
    return value.isascii() and value.isprintable()


def write_body_fields(sent: SentPart) -> tuple[str, ...]:
    """Header lines that describe a body."""
    return f"Content-Type: {sent.media_type}", f"Content-Length: {len(sent.body)}"


def write_request(url: str, user_agent: str, fields: tuple[str, ...], sent: SentPart) -> bytes:
    """The request for the archive, body included."""
    head = write_head(url, user_agent, fields)
    return sent.method.encode() + head.removeprefix(b"GET") + sent.body


def write_head(url: str, user_agent: str, fields: tuple[str, ...]) -> bytes:
    """The request head for the archive: what libcurl sends, which a test compares byte by byte."""
    _, _, rest = url.partition("://")
    slash = rest.find("/")
    authority, target = (rest[:slash], rest[slash:]) if slash >= 0 else (rest, "/")
    lines = (
        f"GET {target} HTTP/1.1",
        f"Host: {authority}",
        f"User-Agent: {user_agent}",
        *fields,
        "\r\n",
    )
    return "\r\n".join(lines).encode("utf-8", "surrogateescape")
