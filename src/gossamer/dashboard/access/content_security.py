"""Limit pages of the dashboard in a browser to what they need."""

OWN_PAGES = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'self'"
)
"""Our own pages: files of this server only, no script or style within a page."""

ARCHIVED_PAGES = (
    "sandbox; default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self'; font-src 'self'; "
    "media-src 'self'; form-action 'none'; base-uri 'none'; frame-src 'none'; frame-ancestors 'self'"
)
"""A page of the crawl: an origin of its own that nobody shares, no script, no form, no frame, and what it
shows comes from the archive."""

_SANDBOX, _LEADING_SANDBOX = "sandbox;", "sandbox allow-top-navigation-by-user-activation;"


def in_frame(policy: str) -> str:
    """The same for a frame of ours: a link that is clicked there leads the whole tab on.

    >>> in_frame("sandbox; default-src 'none'")
    "sandbox allow-top-navigation-by-user-activation; default-src 'none'"
    """
    assert policy.startswith(_SANDBOX), "a copy has an origin of its own"
    return _LEADING_SANDBOX + policy.removeprefix(_SANDBOX)


ARCHIVED_DRAWINGS = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'"
)
"""A drawing of the crawl: it loads nothing at all."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # `no-referrer` would hide from us where a form comes from, too
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
    "X-DNS-Prefetch-Control": "off",
}
"""With every answer, also with one that says what went wrong."""

ALL_HEADERS = {"Content-Security-Policy": OWN_PAGES, **HEADERS}
"""The same with the policy for our own pages, which holds for every answer that has none of its own."""
