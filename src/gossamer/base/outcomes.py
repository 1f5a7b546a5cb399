"""The names of what can become of a visit, and of why a link was not followed.

They appear in the `pages` table, in `--json` and in `gossamer status`, so a name, once given, stays.
"""

from enum import StrEnum


class Outcome(StrEnum):
    """What became of a visit.

    >>> Outcome("connect_timeout").is_transient
    True
    """

    FETCHED = "fetched"
    """An HTTP response arrived, whatever its status."""

    # Before a connection: nothing was asked of the server.
    DNS_NOT_FOUND = "dns_not_found"
    DNS_FAILED = "dns_failed"
    PRIVATE_ADDRESS = "private_address"
    ROBOTS_DISALLOWED = "robots_disallowed"
    ROBOTS_UNREACHABLE = "robots_unreachable"
    BAD_URL = "bad_url"

    # The connection.
    CONNECT_FAILED = "connect_failed"
    CONNECT_TIMEOUT = "connect_timeout"
    TLS_FAILED = "tls_failed"
    PROXY_FAILED = "proxy_failed"

    # The exchange.
    RESET = "reset"
    EMPTY_REPLY = "empty_reply"
    TIMEOUT = "timeout"
    TOO_SLOW = "too_slow"
    BAD_RESPONSE = "bad_response"
    HEADERS_TOO_LARGE = "headers_too_large"
    FETCH_FAILED = "fetch_failed"

    @property
    def is_transient(self) -> bool:
        """Is it worth trying again later?"""
        return self in _TRANSIENT


_TRANSIENT = frozenset(
    {
        Outcome.DNS_FAILED,
        Outcome.ROBOTS_UNREACHABLE,
        Outcome.CONNECT_FAILED,
        Outcome.CONNECT_TIMEOUT,
        Outcome.PROXY_FAILED,
        Outcome.RESET,
        Outcome.EMPTY_REPLY,
        Outcome.TIMEOUT,
        Outcome.FETCH_FAILED,
    }
)


class Truncation(StrEnum):
    """Why a body is shorter than the server meant it: the values of `WARC-Truncated`."""

    NONE = ""
    LENGTH = "length"
    """The size limit was reached."""
    TIME = "time"
    """The time limit was reached."""
    DISCONNECT = "disconnect"
    """The connection ended before the body did."""
    UNSPECIFIED = "unspecified"


class Refusal(StrEnum):
    """Why a link was not followed.

    >>> Refusal("too_deep").name
    'TOO_DEEP'
    """

    BAD_URL = "bad_url"
    SCHEME = "scheme"
    URL_TOO_LONG = "url_too_long"
    OUT_OF_SCOPE = "out_of_scope"
    EXCLUDED = "excluded"
    NOT_INCLUDED = "not_included"
    TOO_DEEP = "too_deep"
    NOFOLLOW = "nofollow"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    REDIRECT_LOOP = "redirect_loop"
    DUPLICATE_CONTENT = "duplicate_content"
    CUSTOM = "custom"
    """A scope function given by the user said no."""
