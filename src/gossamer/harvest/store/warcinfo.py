"""What a WARC file says about the crawl that made it."""

import tomllib
from importlib.metadata import version

import msgspec

_CONFORMS_TO = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"


def describe_crawl(crawl_toml: str, user_agent: str, operator: str) -> bytes:
    r"""The block of a `warcinfo` record.

    The settings stand in one line of JSON, because a line of `application/warc-fields` that is
    folded as TOML needs it does not survive every reader.

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
        "settings": msgspec.json.encode(settings).decode(),
    }
    lines = (f"{name}: {_in_one_line(value)}\r\n" for name, value in fields.items() if value)
    return "".join(lines).encode("utf-8", "replace")


def _robots_policy(settings: dict[str, dict[str, object]]) -> str:
    return "obey" if settings.get("robots", {}).get("obey", True) else "ignore"


def _in_one_line(value: str) -> str:
    return " ".join(value.split())
