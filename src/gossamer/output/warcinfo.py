"""The warcinfo record: the crawl that made a WARC file."""

import re
import tomllib
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import msgspec

from gossamer.core.request import NOT_KEPT, name_seed

_CONFORMS_TO = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
_USER_INFORMATION = re.compile(r"^((?:[A-Za-z][A-Za-z0-9+.-]*://)?)[^/?#]*@")


@lru_cache(maxsize=4)  # partitions of a process have the same
def describe_crawl(crawl_toml: str, user_agent: str, operator: str) -> bytes:
    r"""The block of a `warcinfo` record.

    The settings stand in one line of JSON, because a line of `application/warc-fields` that is
    folded as TOML needs it does not survive every reader. Logins, cookies and passwords in URLs are
    not kept: an archive is given away more easily than they are.

    >>> fields = describe_crawl("[robots]\nobey = false", "Gossamer/1.0", "")
    >>> b"robots: ignore\r\n" in fields
    True
    >>> b'settings: {"robots":{"obey":false}}\r\n' in fields
    True
    """
    settings = tomllib.loads(crawl_toml)
    fields = {
        "software": f"Gossamer/{version('gossamer')}",
        "format": "WARC File Format 1.1",
        "conformsTo": _CONFORMS_TO,
        "operator": operator,
        "robots": _robots_policy(settings),
        "http-header-user-agent": user_agent,
        "settings": msgspec.json.encode(_without_secrets(settings)).decode(),
    }
    lines = (f"{name}: {_in_one_line(value)}\r\n" for name, value in fields.items() if value)
    return "".join(lines).encode("utf-8", "replace")


def _without_secrets(settings: dict[str, Any]) -> dict[str, Any]:
    crawl, fetch = (dict(settings.get(section, {})) for section in ("crawl", "fetch"))
    for name in ("logins", "cookies"):
        if name in fetch:
            fetch[name] = dict.fromkeys(fetch[name], NOT_KEPT)
    if "proxy" in fetch:
        fetch["proxy"] = _mask_proxy(fetch["proxy"])
    if "seeds" in crawl:
        crawl["seeds"] = [_name_seed(one) for one in crawl["seeds"]]
    changed = {name: kept for name, kept in (("crawl", crawl), ("fetch", fetch)) if kept}
    return {**settings, **changed}


def _name_seed(seed: str) -> str:
    """A seed without user, password and body."""
    method, blank, url = name_seed(seed).rpartition(" ")
    return method + blank + _USER_INFORMATION.sub(rf"\1{NOT_KEPT}@", url)


def _mask_proxy(proxy: str) -> str:
    """Everything before the last `@`: a password may hold whatever a URL should not.

    >>> _mask_proxy("socks5h://me:a/b@c@127.0.0.1:1080")
    'socks5h://[not kept]@127.0.0.1:1080'
    """
    scheme, separator, rest = proxy.partition("://") if "://" in proxy else ("", "", proxy)
    _, at, place = rest.rpartition("@")
    return f"{scheme}{separator}{NOT_KEPT}@{place}" if at else proxy


def _robots_policy(settings: dict[str, dict[str, object]]) -> str:
    return "obey" if settings.get("robots", {}).get("obey", True) else "ignore"


def _in_one_line(value: str) -> str:
    return " ".join(value.split())
