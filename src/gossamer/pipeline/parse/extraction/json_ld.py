"""JSON-LD: objects in `<script type="application/ld+json">`, as schema.org's users write them."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from gossamer.pipeline.parse.extraction.bounds import Budget, prune

_MAX_SCRIPTS = 64
_MAX_BYTES = 1 << 20
"""Characters of all scripts together."""
_WRAPPING = re.compile(
    r"^\s*(?:<!--|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[|//\s*<!\[CDATA\[)|"
    r"(?:-->|/\*\s*\]\]>\s*\*/|//\s*\]\]>|\]\]>|;)\s*$"
)
_PUBLISHED = re.compile(r"""["']datePublished["']\s*:\s*["']([^"'<>]{8,40})["']""")
_decoder = json.JSONDecoder(strict=False, parse_constant=lambda _: None)
"""Not strict: line breaks within strings are the commonest mistake."""


def read_json_ld(scripts: Iterable[str]) -> tuple[Any, ...]:
    """The objects of all scripts, bounded; what is no JSON is passed over.

    >>> read_json_ld(['[{"@type": "Article"}, 7]', "{", '{"@graph": [{"name": "x"}]}'])
    ({'@type': 'Article'}, {'name': 'x'})
    """
    budget, space = Budget(), _MAX_BYTES
    found: list[Any] = []
    for number, script in enumerate(scripts):
        space -= len(script)
        if number >= _MAX_SCRIPTS or space < 0:
            break
        found += [prune(one, budget) for one in _objects(_decode(script))]
    return tuple(one for one in found if one)


def walk(objects: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Every object and those within it, the outer ones first."""
    level = [one for one in objects if isinstance(one, dict)]
    while level:
        yield from level
        inner = [value for one in level for value in one.values()]
        level = [one for value in inner for one in _objects(value)]


def _decode(script: str) -> Any:
    try:
        return _decoder.decode(_WRAPPING.sub("", _WRAPPING.sub("", script)).strip())
    except (ValueError, RecursionError):
        return _published(script)


def _published(script: str) -> dict[str, str]:
    """The one date of publication that a broken script names: people forget commas and quotes."""
    days = set(_PUBLISHED.findall(script))
    return {"datePublished": days.pop()} if len(days) == 1 else {}


def _objects(value: Any) -> list[dict[str, Any]]:
    """Objects in a value; those of a `@graph` stand for it."""
    if isinstance(value, list):
        return [one for item in value if isinstance(item, dict) for one in _objects(item)]
    if not isinstance(value, dict):
        return []
    graph = value.get("@graph")
    return _objects(graph) if isinstance(graph, list) else [value]
