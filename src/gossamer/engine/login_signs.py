"""Recognise in an answer that a login holds, that it does not, or nothing."""

import re
from collections.abc import Collection, Iterator, Mapping
from urllib.parse import urljoin, urlsplit

from msgspec import Struct

from gossamer.core.http.header_dates import parse_date
from gossamer.core.records import Page

ENOUGH = 5.0
"""Signs of an end in a row, without a page between them, after which a session counts as ended."""

_MOST = 512 << 10
"""Bytes of a page that are looked through."""

_LOGOUT = re.compile(
    rb"(?:log|sign)[-_]?(?:out|off)|abmeld|d(?:e|%C3%A9|\xc3\xa9)connexion", re.IGNORECASE
)
_LOGIN = re.compile(rb"(?:log|sign)[-_]?(?:in|on)\b|anmeld|connexion", re.IGNORECASE)
_IN_ADDRESS = re.compile(rb"(?:href|action|data-[a-z-]+)\s*=\s*[\"']?[^\"'<>\s]*\Z", re.IGNORECASE)
_PASSWORD = re.compile(rb"""\btype\s*=\s*["']?password""", re.IGNORECASE)
_LONGEST_TAG = 1000
"""Bytes of a tag before its type that are looked through."""
_SECONDS = re.compile(r"-?[0-9]{1,18}")
_LOGIN_PAGE = re.compile(
    r"(?:^|[/=._-])(?:wp-)?(?:log-?in|log-?on|sign-?in|sso|cas|anmelden|anmeldung|einloggen|connexion|"
    r"iniciar-?sesion)(?:$|[/.&;?_-])",
    re.IGNORECASE,
)
_GONE = frozenset({"", "deleted", '""'})


class Sign(Struct, frozen=True):
    """Evidence for being logged in, or against it."""

    is_inside: bool = False
    """There is a way to log out: so one is logged in."""
    is_page: bool = False
    """A page came, and not in the place of one."""
    outside: str = ""
    """What says that one is not logged in, in words."""
    weight: float = 1.0
    """How much that says: `ENOUGH` is enough."""


NOTHING_SAID = Sign()


def read_sign(
    page: Page, cookies: Mapping[str, str], renewed: Collection[str], offers_logout: bool
) -> Sign:
    """Judge an answer; `cookies` are those that we send, `renewed` those that the host always sets again.

    `offers_logout`: pages of this host had a way to log out, so that one without it, but with a way
    to log in, was made for strangers.
    """
    body = page.body[:_MOST] if page.media_type in _HTML else b""
    if _has(body, _LOGOUT):
        return Sign(is_inside=True, is_page=True)
    if gone := next(_deleted(page, cookies), ""):
        return Sign(outside=f"the server deleted the cookie {gone}", weight=ENOUGH - 2)
    if page.status == 401:
        return Sign(outside="status 401")
    if page.location:
        target = urljoin(page.url, page.location)
        is_login = _is_login(target) and not _is_login(page.url)
        return Sign(outside=f"a redirect to {target}") if is_login else NOTHING_SAID
    if _is_login(page.url):
        return NOTHING_SAID  # a form to log in is what belongs there
    if body:
        if _asks_for_password(body):
            return Sign(outside="a login form in the place of a page")
        if offers_logout and _has(body, _LOGIN):
            return Sign(outside="a page that offers to log in, and no longer to log out")
    if page.status == 403:
        return Sign(outside="status 403", weight=0.5)
    if strange := next((name for name in replaced(page, cookies) if name not in renewed), ""):
        return Sign(outside=f"the server replaced the cookie {strange}")
    return Sign(is_page=200 <= page.status < 300 and not (offers_logout and body))


_HTML = frozenset({"text/html", "application/xhtml+xml"})


def _has(body: bytes, words: re.Pattern[bytes]) -> bool:
    """Does an address in the page have one of the words?"""
    return any(
        _IN_ADDRESS.search(body, max(0, found.start() - 300), found.start())
        for found in words.finditer(body)
    )


def _asks_for_password(body: bytes) -> bool:
    """Is there a field for a password? Each is looked for from its type back to its tag, never further."""
    for found in _PASSWORD.finditer(body):
        tag = body.rfind(b"<", max(0, found.start() - _LONGEST_TAG), found.start())
        if tag >= 0 and body[tag : tag + 6].lower() == b"<input":
            return True
    return False


def _is_login(url: str) -> bool:
    """Does an address look like that of a login page?

    >>> _is_login("http://a.test/wp-login.php?redirect_to=x"), _is_login("http://a.test/doku.php?do=login")
    (True, True)
    >>> _is_login("http://a.test/blog/login-forms-explained"), _is_login("http://a.test/catalogin")
    (False, False)
    """
    parts = urlsplit(url)
    last = parts.path.rstrip("/").rpartition("/")[2]
    action = next((one for one in re.split("[&;]", parts.query) if _ASKS.match(one)), "")
    return bool(_LOGIN_PAGE.search(last) and last.count("-") < 2) or bool(
        _LOGIN_PAGE.search(action)
    )


_ASKS = re.compile(r"(?:do|action|act|mode|op|task|title)=", re.IGNORECASE)


def replaced(page: Page, sent: Mapping[str, str]) -> Iterator[str]:
    """Names of our cookies that an answer sets to something else."""
    return (name for name, value, _ in _set_cookies(page) if sent.get(name, value) != value)


def _deleted(page: Page, sent: Mapping[str, str]) -> Iterator[str]:
    """Names of our cookies that an answer takes back (RFC 6265, 5.2 and 5.3)."""
    for name, value, attributes in _set_cookies(page):
        if name in sent and (value in _GONE or any(_is_past(one, page) for one in attributes)):
            yield name


def _set_cookies(page: Page) -> Iterator[tuple[str, str, list[str]]]:
    for line in page.headers.get_all("set-cookie"):
        pair, *attributes = line.split(";")
        name, _, value = pair.partition("=")
        yield name.strip(), value.strip(), attributes


def _is_past(attribute: str, page: Page) -> bool:
    name, _, value = attribute.strip().partition("=")
    if name.lower() == "max-age":
        return _SECONDS.fullmatch(value) is not None and int(value) <= 0
    date = parse_date(value) if name.lower() == "expires" else None
    return date is not None and date <= page.started
