"""A question for the index, from the fields of a form: words, and what they are narrowed down by."""

import re
from collections.abc import Mapping

_QUOTED = re.compile('"[^"]*"')


def narrowed(words: str, conditions: Mapping[str, str]) -> str:
    """Words with conditions, each of which counts for all of the words.

    >>> narrowed("tea OR coffee", {"site": "a.test", "lang": ""})
    '(tea OR coffee) site:"a.test"'
    >>> narrowed("", {"type": "pdf"}), narrowed("  tea ", {})
    ('type:"pdf"', 'tea')
    """
    words = words.strip()
    given = {name: _plain(value) for name, value in conditions.items()}
    wanted = [f'{name}:"{value}"' for name, value in given.items() if value]
    if words and wanted:
        return " ".join([f"({closed(words)})", *wanted])
    return words or " ".join(wanted)


def closed(words: str) -> str:
    """The same with the quote and the brackets that are missing at the end, so that more can follow.

    >>> closed('(a OR "b c')
    '(a OR "b c")'
    """
    if words.count('"') % 2:
        words += '"'
    depth = 0
    for sign in _QUOTED.sub("", words):
        depth = max(0, depth + {"(": 1, ")": -1}.get(sign, 0))
    return words + ")" * depth


def _plain(value: str) -> str:
    return value.replace('"', " ").strip()
