"""Addresses in pages that no browser can follow, or that lead elsewhere than their author meant."""

import re
from difflib import get_close_matches

from gossamer.core.url import Spelling
from gossamer.core.url.spelling import Base

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")
_WEB = frozenset({"http", "https"})
_KNOWN = (
    *(
        "http",
        "https",
        "ftp",
        "ftps",
        "mailto",
        "tel",
        "sms",
        "javascript",
        "data",
        "blob",
        "about",
    ),
    *(
        "file",
        "irc",
        "ircs",
        "news",
        "nntp",
        "xmpp",
        "geo",
        "magnet",
        "callto",
        "skype",
        "whatsapp",
    ),
    *("webcal", "ssh", "sftp", "git", "urn", "doi", "view-source", "market", "intent", "matrix"),
)
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
_PLACEHOLDER = re.compile(r"\{\{|\$\{|<%|%7B%7B|\[object%20|\[object ", re.IGNORECASE)
_PORT = re.compile(r"\d+(?:[/?#]|\Z)")
_ALIKE = 0.75


def fault_of(href: str, spelling: Spelling, base: Base | None) -> str:
    """Describe the fault of an address; empty if there is none.

    >>> base = Spelling().base("http://a.example/")
    >>> [fault_of(href, Spelling(), base) for href in ("x", "#y", "http://[", "htp://b.example/")]
    ['', '', 'no URL', 'unknown scheme htp']
    """
    href = href.strip()
    if _PLACEHOLDER.search(href):
        return "placeholder not filled in"
    scheme = _SCHEME.match(href)
    if scheme is not None:
        name, rest = scheme[1].lower(), href[scheme.end() :]
        if said := _web_fault(rest) if name in _WEB else _scheme_fault(name, rest):
            return said
    is_web = scheme is None or scheme[1].lower() in _WEB
    return "no URL" if is_web and spelling.join(base, href) is None else ""


def _web_fault(rest: str) -> str:
    """Describe a fault behind `http:`.

    >>> _web_fault("/b.example/"), _web_fault("//b.example/"), _web_fault("//https//b.example")
    ('two slashes are missing or too many', '', 'scheme twice')
    """
    if not rest.startswith("//") or rest.startswith("///"):
        return "two slashes are missing or too many"
    if re.match(r"//https?(?::|//)(?!\d)", rest, re.IGNORECASE):
        return "scheme twice"
    host = re.split(r"[/?#]", rest[2:], maxsplit=1)[0]
    return "empty part in the host name" if ".." in host or host.startswith(".") else ""


def _scheme_fault(name: str, rest: str) -> str:
    """Describe the fault of an address of another scheme.

    >>> _scheme_fault("mailto", "a@b.example?subject=c"), _scheme_fault("localhost", "8080/x")
    ('', 'scheme missing')
    >>> _scheme_fault("c", "/a.doc"), _scheme_fault("slack", "x")
    ('a path on one computer', '')
    """
    if name == "mailto":
        to = rest.partition("?")[0].replace("%40", "@")
        is_open = not to and "?" in rest
        return "" if is_open or all(map(_ADDRESS.match, to.split(","))) else "no e-mail address"
    if name == "tel":
        return "" if any(map(str.isdigit, rest)) else "no telephone number"
    if name == "file" or len(name) == 1:
        return "a path on one computer"
    if name in _KNOWN:
        return ""
    if _PORT.match(rest):
        return "scheme missing"
    return f"unknown scheme {name}" if get_close_matches(name, _KNOWN, 1, _ALIKE) else ""
