"""The names of what can become of a visit, and of why a link was not followed.

They appear in the `pages` table, in `--json` and in `gossamer status`, so a name, once given, stays.
"""

from enum import StrEnum


class Outcome(StrEnum):
    """The result of a visit.

    >>> Outcome("connect_timeout").is_transient
    True
    """

    FETCHED = "fetched"
    """An HTTP response arrived, whatever its status."""

    # Before a connection: nothing was asked of the server.
    DNS_NOT_FOUND = "dns_not_found"
    """The host's name does not exist, or has no address of a kind that is asked for."""
    DNS_FAILED = "dns_failed"
    """The name servers gave no answer, or a broken one."""
    PRIVATE_ADDRESS = "private_address"
    """The host is at an address that is not public: loopback, a private network, or the like."""
    ROBOTS_DISALLOWED = "robots_disallowed"
    """The host's robots.txt forbids it; `gossamer explain` names the rule."""
    ROBOTS_UNREACHABLE = "robots_unreachable"
    """There was no robots.txt to be had (5xx or no answer) `robots.give_up` times; else its URLs wait."""
    BLOCKED = "blocked"
    """An order blocks the host that a robots.txt was moved to. Pages that are blocked wait, and end later. As
    a refusal, it is one of very many announced pages that are blocked."""
    BAD_URL = "bad_url"
    """libcurl can make nothing of the URL."""

    # Out of scope by the time its turn came: settings were changed at a resume. Named as refusals are.
    SCHEME = "scheme"
    """Its scheme is none of `fetch.schemes` any more."""
    URL_TOO_LONG = "url_too_long"
    """It has more characters than `fetch.max_url` allows by now."""
    OUT_OF_SCOPE = "out_of_scope"
    """It is out of what `scope.kind` allows by now, or a page's part without `parse.page_requisites`."""
    EXCLUDED = "excluded"
    """It matches an expression of `scope.exclude`: one that was added while it waited, or it is a seed."""
    NOT_INCLUDED = "not_included"
    """It matches no expression of `scope.include` as it is by now."""
    TOO_DEEP = "too_deep"
    """It is more than `scope.max_depth` links away from a seed, as that is by now."""
    ACTION = "action"
    """It looks as if it changes something, and a login or cookies are sent there by now."""

    # The connection.
    CONNECT_FAILED = "connect_failed"
    """The server refused the connection, or there is no way to it."""
    CONNECT_TIMEOUT = "connect_timeout"
    """No connection within `fetch.connect_timeout`, TLS included."""
    TLS_FAILED = "tls_failed"
    """The TLS handshake failed, or the certificate does not check out."""
    PROXY_FAILED = "proxy_failed"
    """The proxy could not be found or reached, or would not pass the request on."""

    # The exchange.
    RESET = "reset"
    """The connection broke before the response's header fields were complete."""
    EMPTY_REPLY = "empty_reply"
    """The server closed the connection without sending anything."""
    TIMEOUT = "timeout"
    """No complete header fields within `fetch.timeout`."""
    TOO_SLOW = "too_slow"
    """Fewer than `fetch.slow_bytes` a second for `fetch.slow_seconds`, the header fields not complete."""
    BAD_RESPONSE = "bad_response"
    """What came is no HTTP."""
    HEADERS_TOO_LARGE = "headers_too_large"
    """The header fields are longer than `fetch.max_headers`, or there are too many."""
    FETCH_FAILED = "fetch_failed"
    """Anything else that libcurl complains about; `detail` has its words."""
    UNCONFIRMED = "unconfirmed"
    """A request by POST was sent, and no answer says whether it was carried out; it is not sent again."""

    @property
    def is_transient(self) -> bool:
        """Is it worth trying again later?"""
        return self in _TRANSIENT

    @property
    def is_trouble(self) -> bool:
        """Does it say that the host is in trouble?"""
        return self in _TROUBLE


_TRANSIENT = frozenset(
    {
        Outcome.DNS_FAILED,
        Outcome.CONNECT_FAILED,
        Outcome.CONNECT_TIMEOUT,
        Outcome.PROXY_FAILED,
        Outcome.RESET,
        Outcome.EMPTY_REPLY,
        Outcome.TIMEOUT,
        Outcome.FETCH_FAILED,
    }
)
_TROUBLE = _TRANSIENT | {Outcome.UNCONFIRMED}


class Truncation(StrEnum):
    """Reasons why a body is shorter than the server meant it: the values of `WARC-Truncated`."""

    NONE = ""
    """The body is whole, as far as can be known."""
    LENGTH = "length"
    """The size limit was reached."""
    TIME = "time"
    """The time limit was reached."""
    DISCONNECT = "disconnect"
    """The connection ended before the body did."""
    UNSPECIFIED = "unspecified"
    """For another reason. Gossamer never says so; it stands here for the sake of the standard."""


class ParseFailure(StrEnum):
    """Reasons why a page that arrived could not be read: the values of `parse_failure`.

    >>> ParseFailure("timed_out").name
    'TIMED_OUT'
    """

    NONE = ""
    """It was read, or nobody reads pages of its kind."""
    CRASHED = "crashed"
    """The process that read it died of it."""
    TIMED_OUT = "timed_out"
    """Reading it took longer than `parse.sandbox_seconds`."""
    TOO_LARGE = "too_large"
    """Reading it took more memory than `parse.sandbox_memory`, or than there is, or gave too much."""
    BROKEN = "broken"
    """It is damaged, encrypted or not what it is said to be, or its parser failed; `detail` says more."""


class Refusal(StrEnum):
    """Reasons why a link was not followed.

    >>> Refusal("too_deep").name
    'TOO_DEEP'
    """

    BAD_URL = "bad_url"
    """It is no URL at all, or a redirect to none."""
    SCHEME = "scheme"
    """Its scheme is none of `fetch.schemes`: ftp, say; or it leads from the web to a file of one's own."""
    URL_TOO_LONG = "url_too_long"
    """It has more characters than `fetch.max_url`."""
    OUT_OF_SCOPE = "out_of_scope"
    """It leads out of what `scope.kind` allows around the seeds."""
    EXCLUDED = "excluded"
    """It matches an expression of `scope.exclude`."""
    NOT_INCLUDED = "not_included"
    """There are expressions in `scope.include`, and it matches none."""
    TOO_DEEP = "too_deep"
    """It is more than `scope.max_depth` links away from a seed."""
    NOFOLLOW = "nofollow"
    """The link has rel=nofollow, or its page asks for no link to be followed (`scope.nofollow`)."""
    TOO_MANY_REDIRECTS = "too_many_redirects"
    """It is one redirect more in a row than `fetch.max_redirects`."""
    REDIRECT_LOOP = "redirect_loop"
    """A redirect to the very URL that was asked for."""
    BODY_ELSEWHERE = "body_elsewhere"
    """A redirect (307, 308) that would send the body of a request to another host than the one it is for."""
    DUPLICATE_CONTENT = "duplicate_content"
    """It stands on a page whose content was met at another URL before (`scope.follow_duplicates`)."""
    SOFT_ERROR = "soft_error"
    """It stands on a page that looks like the host's answer to what does not exist (`detect.soft_errors`)."""
    NEAR_DUPLICATE = "near_duplicate"
    """It stands on a near-duplicate that was found on near-duplicates only (`scope.follow_near`)."""
    BAD_STATUS = "bad_status"
    """It stands on an answer that is no page: an error, or a redirect, of which only the target counts."""
    REQUISITE = "requisite"
    """It stands on a part of another page (`parse.page_requisites`) that is no style sheet, script or SVG."""
    ACTION = "action"
    """It looks as if following it changes something (log out, delete, vote), and the crawl sends a login or
    cookies there (`scope.follow_actions`)."""
    PROBE = "probe"
    """It stands on a host's answer to a name that was made up (`detect.soft_errors`)."""
    CUSTOM = "custom"
    """A scope function given by the user said no."""
    CUSTOM_ERROR = "custom_error"
    """A scope function given by the user raised an exception at it; the log has its traceback."""
