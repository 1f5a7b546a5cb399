"""Regular expressions of the user, matched with URLs in time that grows with the length of the URL.

In: the texts of a setting. Out: whether one of them is found in a URL. The engine is RE2: it has no
backtracking, so no expression is slow on a URL that was made for it (decision 61). What RE2 cannot
match in linear time (look-around, back-references) is refused in one line.
"""

from collections.abc import Sequence
from typing import Any

import re2

from gossamer.core.errors import SettingsError

_LONGEST = 2_000
"""Characters of one expression."""
_MEMORY = 64 << 20
"""Bytes that the automaton of a setting may have, at most."""
_SHOWN = 80
_UNBOUNDED = {
    "invalid perl operator: (?=": "look-ahead",
    "invalid perl operator: (?!": "look-ahead",
    "invalid perl operator: (?<": "look-behind",
    "invalid escape sequence: \\1": "a back-reference",
    "bad repetition operator": "possessive repetition",
}
"""What needs backtracking, by what RE2 says of it."""


class UrlPatterns:
    """Expressions, all looked for at once: a hundred cost as much as one.

    >>> patterns = UrlPatterns("scope.exclude", ["/private/", r"[.]jpg$"])
    >>> patterns.find("http://a.test/private/x"), patterns.find("http://a.test/jpg")
    (True, False)
    >>> UrlPatterns("scope.exclude", ["("])
    Traceback (most recent call last):
    gossamer.core.errors.SettingsError: scope.exclude: '(' is not a regular expression: missing ): (
    """

    def __init__(self, name: str, texts: Sequence[str]) -> None:
        options = _options()
        self._alone = [_compile(name, text, options) for text in texts]
        self._together = re2.Set.SearchSet(options)
        for text in ("", *texts):  # the first is found in every text: else the search has failed
            self._together.Add(text)
        try:
            self._together.Compile()
        except re2.error:
            raise SettingsError(
                f"{name}: its {len(texts):,} expressions are too large together; write fewer or shorter ones"
            ) from None

    def __bool__(self) -> bool:
        return bool(self._alone)

    def find(self, text: str) -> bool:
        """Is one of them found in this text?"""
        if not self._alone:
            return False
        if found := self._together.Match(text):
            return len(found) > 1
        return any(
            pattern.search(text) for pattern in self._alone
        )  # too little memory for all at once


def _options() -> Any:
    options = re2.Options()
    options.log_errors, options.max_mem = False, _MEMORY
    return options


def _compile(name: str, text: str, options: Any) -> Any:
    if len(text) > _LONGEST:
        raise SettingsError(
            f"{name}: {text[:_SHOWN]!r}… has {len(text):,} characters; {_LONGEST:,} are allowed"
        )
    try:
        return re2.compile(text, options)
    except re2.error as error:
        raise SettingsError(f"{name}: {_shown(text)} {_explain(_decoded(error))}") from None


def _explain(said: str) -> str:
    for beginning, what in _UNBOUNDED.items():
        if said.startswith(beginning):
            return (
                f"has {what}, which is not supported; write it without (the syntax is that of RE2), such as "
                "with scope.exclude for what must not match"
            )
    return f"is not a regular expression: {said}"


def _decoded(error: Exception) -> str:
    said = error.args[0] if error.args else error
    return said.decode(errors="replace") if isinstance(said, bytes) else str(said)


def _shown(text: str) -> str:
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}…"
