"""Says when a login ends: from then on a crawl stores what strangers see, without an error.

A single answer proves nothing: a page may be forbidden, a part of a site may be for others. So the signs of
an end (`login_signs`) count only at places where there were pages before, and only when several follow
each other without a page between them. The verdict is taken back when pages for insiders come again.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct
from xxhash import xxh3_64_hexdigest, xxh3_64_intdigest

from gossamer.core.durable import Durable
from gossamer.core.log_events import LogEvent, log_aloud
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Judged, Page
from gossamer.core.settings import FetchSettings
from gossamer.engine.login_signs import ENOUGH, Sign, read_sign, replaced

_MOST_PLACES = 500
"""Folders and scripts with pages that are remembered for each host."""


class Login(Struct):
    """The state of the login at one host."""

    secret: str
    """One number for login and cookies: with others, all begins again."""
    offers_logout: bool = False
    score: float = 0.0
    """Signs of an end since the last page."""
    ended: str = ""
    """What is said of its end; empty while it holds."""
    places: list[int] = []
    """Where there were pages."""
    renewed: list[str] = []
    """Cookies that the host sets again on pages as they should be."""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(dict[str, Login]).decode


class Logins(Durable):
    """Looks at the answers of hosts that get a login or cookies, and at no others."""

    name = "logins"

    def __init__(self, settings: FetchSettings, state: bytes = b"") -> None:
        before = _decode(state) if state else {}
        self._cookies = {host: _pairs(text) for host, text in settings.cookies.items()}
        self._logins = {}
        for host in sorted(settings.personal_hosts & {*settings.logins, *settings.cookies}):
            new = Login(_fingerprint(settings, host))
            old = before.get(host, new)
            self._logins[host] = old if old.secret == new.secret else new
        self._has_news = bool(self._logins)

    def look(self, visited: Sequence[Judged]) -> None:
        """Learn from visits that ended."""
        if self._logins:
            for page in (judged.document.page for judged in visited):
                login = self._logins.get(page.visit.url.host)
                if login is not None and page.outcome is Outcome.FETCHED:
                    self._judge(login, page)

    def endings(self) -> tuple[str, ...]:
        """One line for each host where the crawl is no longer logged in."""
        return tuple(login.ended for login in self._logins.values() if login.ended)

    def _judge(self, login: Login, page: Page) -> None:
        cookies = self._cookies.get(page.visit.url.host, {})
        if not login.places:  # the first page says what is usual
            login.renewed = [*replaced(page, cookies)]
        sign = read_sign(page, cookies, login.renewed, login.offers_logout)
        if sign.is_page:
            self._go_on(login, page, sign)
        elif sign.outside and (weight := self._weigh(login, page, sign)):
            self._has_news = True
            login.score += weight
            if login.score >= ENOUGH and not login.ended:
                login.ended = _ending(page, sign)
                log_aloud(LogEvent.LOGIN, "%s", login.ended)

    def _go_on(self, login: Login, page: Page, sign: Sign) -> None:
        """A page as it should be."""
        place = _place(page)
        is_new = place not in login.places and len(login.places) < _MOST_PLACES
        if is_new:
            login.places.append(place)
        if login.ended:
            log_aloud(LogEvent.LOGIN, "%s: the crawl is logged in again", page.visit.url.host)
        news = is_new or login.score or sign.is_inside > login.offers_logout
        self._has_news = self._has_news or bool(news)
        login.offers_logout = login.offers_logout or sign.is_inside
        login.score, login.ended = 0.0, ""

    @staticmethod
    def _weigh(login: Login, page: Page, sign: Sign) -> float:
        """A seed that asks for a login before there was any page is enough; a strange place says nothing."""
        if not login.places:
            is_refused = page.status == 401 or bool(page.location)
            return ENOUGH if page.visit.is_home_page and is_refused else 0.0
        is_known = _place(page) in login.places
        return sign.weight if is_known or sign.weight > 1 else 0.0

    # Recorded: all of it, when something has changed.

    def note(self) -> bytes:
        return _encode(self._logins) if self._has_news else b""

    def noted(self) -> None:
        self._has_news = False

    def checkpoint(self) -> bytes:
        return _encode(self._logins)


def _ending(page: Page, sign: Sign) -> str:
    host = page.visit.url.host
    return (
        f"{host}: the crawl does not seem to be logged in now ({sign.outside}, at {page.url}): it "
        f"fetches pages without a login; stop it, set a fresh login for {host} in secrets.toml "
        "(fetch.cookies "
        "or fetch.logins), and continue with `gossamer resume`"
    )


def _place(page: Page) -> int:
    """The folder or script of a page: where one page is, others of its kind are."""
    path = page.visit.url.text.partition("?")
    return xxh3_64_intdigest((path[0] if path[1] else path[0].rpartition("/")[0]).encode())


def _pairs(cookies: str) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in cookies.split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def _fingerprint(settings: FetchSettings, host: str) -> str:
    parts = (settings.logins.get(host, ""), settings.cookies.get(host, ""))
    return xxh3_64_hexdigest("\n".join(parts).encode())
