"""Other spellings of the same URL, as careless people write them.

A crawler that normalises as the WHATWG URL standard says sees one and the same URL. None of them
depends on the page it stands in, as long as that page is not deeper than two segments: so a copy of
a page means the same links.
"""

from collections.abc import Callable


def _upper_case_host(authority: str, path: str) -> str:
    return f"http://{authority.upper()}{path}"


def _upper_case_scheme(authority: str, path: str) -> str:
    return f"HTTP://{authority}{path}"


def _without_scheme(authority: str, path: str) -> str:
    return f"//{authority}{path}"


def _default_port(authority: str, path: str) -> str:
    port = "" if ":" in authority else ":80"
    return f"http://{authority}{port}{path}"


def _with_fragment(authority: str, path: str) -> str:
    return f"{path}#section-2"


def _from_the_parent(authority: str, path: str) -> str:
    return f"..{path}"


def _with_dot_segments(authority: str, path: str) -> str:
    return f"/./about/..{path}"


def _with_spaces(authority: str, path: str) -> str:
    return f"  {path}\n"


SPELLINGS: tuple[Callable[[str, str], str], ...] = (
    _upper_case_host,
    _upper_case_scheme,
    _without_scheme,
    _default_port,
    _with_fragment,
    _from_the_parent,
    _with_dot_segments,
    _with_spaces,
)


def respell(kind: int, authority: str, path: str) -> str:
    """Write a URL in an unusual way.

    >>> respell(0, "www.amberfield.test", "/a.html")
    'http://WWW.AMBERFIELD.TEST/a.html'
    """
    return SPELLINGS[kind % len(SPELLINGS)](authority, path)
