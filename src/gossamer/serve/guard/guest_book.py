"""Who has the password, and who has shown it before.

Where there is no password, everybody is a visitor. His cookie is signed and not remembered, so that any
number of visitors costs nothing. Where there is one, a browser shows it once and has a cookie then. A
program sends it with each request, as `Authorization: Bearer PASSWORD` or as the password of HTTP's basic
way. Wrong ones are counted: after some of them in a minute nobody is let in anew until the minute is over,
however right he is.
"""

import hmac
import secrets
from base64 import b64decode
from binascii import Error as NoBase64Error
from collections import OrderedDict
from hashlib import sha256

from msgspec import Struct

SHORTEST = 12
"""Characters of a password, at least."""
_MOST_WRONG = 20
_MINUTE = 60.0
_MOST_SESSIONS = 1000
_SESSION_SECONDS = 7 * 86400.0


class Guest(Struct, frozen=True):
    """Who asks: the number of a session, which forms are bound to, and how he came in."""

    session: str
    is_program: bool = False
    """He sent the secret itself, which no browser does for a page elsewhere."""


class GuestBook:
    """Lets in who knows the password; without a password everybody.

    >>> entrance = GuestBook("correct horse battery")
    >>> entrance.log_in("wrong", now=0.0) is None
    True
    >>> session = entrance.log_in("correct horse battery", now=0.0)
    >>> entrance.admit(session, "", now=1.0).session == session, entrance.admit("made up", "", now=1.0)
    (True, None)
    """

    def __init__(self, password: str = "") -> None:
        self._password = password
        self._sessions: OrderedDict[str, float] = OrderedDict()
        self._wrong = 0
        self._minute = -1.0
        self._key = secrets.token_bytes(32)

    @property
    def is_guarded(self) -> bool:
        return bool(self._password)

    def admit(self, cookie: str, authorization: str, now: float) -> Guest | None:
        """Who is it? None when he has to show the password first."""
        if authorization and self.is_guarded:
            said = _read_authorization(authorization)
            return Guest("program", is_program=True) if self._is_right(said, now) else None
        if not self.is_guarded:
            return Guest(cookie if self._is_visitor(cookie) else self._new_visitor())
        began = self._sessions.get(cookie)
        is_known = began is not None and now - began < _SESSION_SECONDS
        return Guest(cookie) if is_known else None

    def log_in(self, password: str, now: float) -> str | None:
        """The number of a new session, or None."""
        return self._begin_session(now) if self._is_right(password, now) else None

    def log_out(self, session: str) -> None:
        self._sessions.pop(session, None)

    def is_closed(self, now: float) -> bool:
        """Were there too many wrong passwords just now?"""
        return self._wrong >= _MOST_WRONG and now // _MINUTE == self._minute

    def _new_visitor(self) -> str:
        number = secrets.token_urlsafe(18)
        return f"{number}.{self._sign(number)}"

    def _is_visitor(self, cookie: str) -> bool:
        number, _, signature = cookie.partition(".")
        said = signature.encode(errors="replace")
        return hmac.compare_digest(self._sign(number).encode(), said)

    def _sign(self, number: str) -> str:
        return hmac.new(self._key, number.encode(errors="replace"), sha256).hexdigest()

    def _begin_session(self, now: float) -> str:
        session = secrets.token_urlsafe(24)
        self._sessions[session] = now
        while len(self._sessions) > _MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return session

    def _is_right(self, said: str, now: float) -> bool:
        if now // _MINUTE != self._minute:
            self._minute, self._wrong = now // _MINUTE, 0
        if self.is_closed(now):
            return False
        is_right = hmac.compare_digest(said.encode(errors="replace"), self._password.encode())
        self._wrong += not is_right
        return is_right


def _read_authorization(field: str) -> str:
    """The secret in an Authorization header; empty when there is none.

    >>> _read_authorization("Bearer abc"), _read_authorization("Basic eDphYmM="), _read_authorization("?")
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
