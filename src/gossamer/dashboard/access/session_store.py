"""Let visitors in: by a link that opens once, by the password, by the key, or by a known session.

    the link that `gossamer serve` prints ─┐
    the password, if there is one ─────────┼─▶ a session, whose number is a cookie of the browser
    the key, from a file of the crawl ─────┘
    the key or the password, with each request of a program

Wrong ones are counted by address: after some of them within a minute nobody from there is let in by a
password until the minute is over. Who is signed in is not asked, and the key is too long to be guessed, so
neither is held up by what others try.

Where neither is wanted, everybody is a visitor. The cookie is signed and not remembered then, so that any
number of visitors costs nothing.
"""

import hmac
import secrets
from base64 import b64decode
from binascii import Error as NoBase64Error
from collections import OrderedDict
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network

from msgspec import Struct

SHORTEST = 12
"""Characters of a password, at least."""
_MOST_WRONG = 20
_MINUTE = 60.0
_MOST_ADDRESSES = 10_000
"""Of whom wrong passwords are counted."""
_MOST_SESSIONS = 1000
_SESSION_SECONDS = 7 * 86400.0


class Session(Struct, frozen=True):
    """A session: its number, to which forms are bound, and the way of its login."""

    session: str
    is_program: bool = False
    """He sent the secret itself, which no browser does for a page elsewhere."""


class SessionStore:
    """Lets in who has one of the secrets; if it is open, everybody.

    >>> entrance = SessionStore("correct horse battery")
    >>> entrance.log_in("wrong", "192.0.2.1", now=0.0) is None
    True
    >>> session = entrance.log_in("correct horse battery", "192.0.2.1", now=0.0)
    >>> entrance.admit(session, "", "", now=1.0).session == session, entrance.admit("?", "", "", now=1.0)
    (True, None)
    """

    def __init__(
        self, password: str = "", key: str = "", *more_keys: str, is_open: bool = False
    ) -> None:
        self.is_guarded = not is_open
        self._password = password
        self._keys = (key or secrets.token_urlsafe(32), *more_keys)
        self.link_token = "" if is_open or password else secrets.token_urlsafe(24)
        """What the link has that opens once; empty when there is none, or it was opened."""
        self._sessions: OrderedDict[str, float] = OrderedDict()
        self._wrong: OrderedDict[str, tuple[float, int]] = OrderedDict()
        """By address: the minute, and the wrong passwords in it."""
        self._key = secrets.token_bytes(32)

    def admit(self, cookie: str, said: str, address: str, now: float) -> Session | None:
        """Find the session of a request; None when a secret has to be shown first. `said` is the one of a
        program."""
        if not self.is_guarded:
            return Session(cookie if self._is_visitor(cookie) else self._new_visitor())
        began = self._sessions.get(cookie)
        is_known = began is not None and now - began < _SESSION_SECONDS
        if said and (self._is_key(said) or (not is_known and self._is_right(said, address, now))):
            return Session("program", is_program=True)
        return Session(cookie) if is_known else None

    def log_in(self, said: str, address: str, now: float) -> str | None:
        """The number of a new session, or None."""
        is_right = self._is_key(said) or self._is_right(said, address, now)
        return self._begin_session(now) if is_right else None

    def open_link(self, token: str, now: float) -> str | None:
        """The number of a new session for who opens the link first."""
        if not self.link_token or not _is_same(token, self.link_token):
            return None
        self.link_token = ""
        return self._begin_session(now)

    def log_out(self, session: str) -> None:
        self._sessions.pop(session, None)

    def is_closed(self, address: str, now: float) -> bool:
        """Did too many wrong passwords come from there just now?"""
        minute, wrong = self._wrong.get(_network(address), (0.0, 0))
        return wrong >= _MOST_WRONG and now // _MINUTE == minute

    def _new_visitor(self) -> str:
        number = secrets.token_urlsafe(18)
        return f"{number}.{self._sign(number)}"

    def _is_visitor(self, cookie: str) -> bool:
        number, _, signature = cookie.partition(".")
        return _is_same(signature, self._sign(number))

    def _sign(self, number: str) -> str:
        return hmac.new(self._key, number.encode(errors="replace"), sha256).hexdigest()

    def _begin_session(self, now: float) -> str:
        session = secrets.token_urlsafe(24)
        self._sessions[session] = now
        while len(self._sessions) > _MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return session

    def _is_key(self, said: str) -> bool:
        return any(_is_same(said, key) for key in self._keys)

    def _is_right(self, said: str, address: str, now: float) -> bool:
        """Is it the password? Nobody can guess it faster than the limit, whatever he sends."""
        if self.is_closed(address, now):
            return False
        if self._password and _is_same(said, self._password):
            return True
        network, minute = _network(address), now // _MINUTE
        before, wrong = self._wrong.pop(network, (minute, 0))
        self._wrong[network] = minute, wrong + 1 if before == minute else 1
        if len(self._wrong) > _MOST_ADDRESSES:
            self._wrong.popitem(last=False)
        return False


def _is_same(said: str, secret: str) -> bool:
    return hmac.compare_digest(said.encode(errors="replace"), secret.encode(errors="replace"))


def _network(address: str) -> str:
    """The network of one visitor: an address, or of IPv6 a network of 64 bits.

    >>> _network("192.0.2.1"), _network("2001:db8::7:1"), _network("unknown")
    ('192.0.2.1', '2001:db8::', 'unknown')
    """
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if isinstance(known, IPv6Address) and known.ipv4_mapped is None:
        return str(ip_network((known, 64), strict=False).network_address)
    return str(known)


def read_authorization(field: str) -> str:
    """The secret in an Authorization header; empty when there is none.

    >>> read_authorization("Bearer abc"), read_authorization("Basic eDphYmM="), read_authorization("?")
    ('abc', 'abc', '')
    """
    kind, _, value = field.partition(" ")
    if kind.lower() == "bearer":
        return value.strip()
    if kind.lower() == "basic":
        try:
            return b64decode(value, validate=True).decode().partition(":")[2]
        except (NoBase64Error, UnicodeDecodeError):
            return ""
    return ""
