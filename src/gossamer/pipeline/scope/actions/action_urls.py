"""Recognise actions by URL: requests that would change something."""

import re
from collections.abc import Iterator
from urllib.parse import unquote, unquote_plus

from gossamer.pipeline.scope.actions.action_words import (
    ABOUT,
    ACTIONS,
    BEGINNINGS,
    CARTS,
    LOGOUT,
    LOOKS,
    MAYBE_ACTIONS,
    MAYBE_TOKENS,
    MILD,
    OFFICES,
    SCRIPTS,
    STATES,
    STRONG,
    TOKEN,
    VERBS,
    parts,
    plain,
)

_NUMBER = re.compile(r"\d+|[0-9a-f]{8,}|[0-9a-f]{8}-[0-9a-f-]{27}|[a-z]{1,3}[-_]?\d+")
_ID = re.compile(r"\d+|[0-9a-f]{8,}")
_YEAR = re.compile(r"(19|20)\d\d")
_SEVERAL = 2
_NO = frozenset({"0", "false", "no", "off"})
_WRITERS = frozenset({"post-new.php", "wp-login.php"})
"""Scripts of WordPress that write as soon as their form is shown: a draft, and for insiders a new session."""


class UrlParts:
    """A URL taken apart, once for all questions.

    >>> UrlParts("/forum/posting.php?mode=delete&p=5").action()
    'mode=delete'
    >>> UrlParts("/wiki/Delete").action()
    ''
    """

    __slots__ = ("_before", "_parameters", "_script", "_segments", "_stem", "is_document")

    def __init__(self, path: str) -> None:
        """`path` is path and query, as in `Url.path`."""
        path, _, query = path.partition("?")
        if "%" in path:
            path = unquote(path)
        self._parameters = _split(query) if query else []
        self._segments = [segment for segment in path.split("/") if segment]
        last = self._segments[-1] if self._segments else ""
        stem, dot, ending = last.rpartition(".")
        is_script = bool(dot) and ending.lower() in SCRIPTS
        self.is_document = bool(dot) and not is_script and len(ending) <= 5
        self._script = last if is_script else ""
        self._stem = stem if is_script else last
        self._before = self._segments[:-1]

    def action(self) -> str:
        """The part of it that names an action; empty when there is none."""
        return (self._parameters and self._asked()) or self._named()

    # The query.

    def _asked(self) -> str:
        has_number = any(value[:1].isdigit() for _, value in self._parameters)
        for name, value in self._parameters:
            key = plain(name.partition("[")[0])
            if said := self._says(name, key, value, has_number):
                return said
        return self._protected()

    def _says(self, name: str, key: str, value: str, has_number: bool) -> str:
        """Does a parameter alone say so?"""
        if name in ACTIONS or key in ACTIONS:
            return f"{name}={value}" if _is_action(value) else ""
        if name in MAYBE_ACTIONS:
            word = plain(value)
            is_sure = word in LOGOUT or (word in STRONG and len(self._parameters) > 1)
            return f"{name}={value}" if is_sure else ""
        if key in STRONG and value.lower() not in _NO:
            return name
        if key in MILD and key != "edit" and value.isdigit():
            return name
        return f"{name}={value}" if name == "title" and _is_special(value) else ""

    def _protected(self) -> str:
        """Is there a token, as actions need it?"""
        for name, value in self._parameters:
            if TOKEN.search(name.lower()) and value and not self._shows():
                return f"the token {name}"
        if any(name.lower() in MAYBE_TOKENS and value for name, value in self._parameters):
            word = next((word for word in self._orders() if word in VERBS), "")
            return f"{word} with a token" if word else ""
        return ""

    def _orders(self) -> Iterator[str]:
        """Words at places where an application may be told what to do."""
        for name, value in self._parameters:
            yield plain(name)
            if name in MAYBE_ACTIONS:
                yield plain(value)
        yield plain(self._stem)

    def _shows(self) -> bool:
        """Is it a form for logging in, or a preview, which may carry a token as well?"""
        return any(word in ("login", "preview") for pair in self._parameters for word in pair)

    # The path.

    def _named(self) -> str:
        if self.is_document or not self._segments:
            return ""
        if self._script:
            return self._run()
        word, before = plain(self._stem), self._before
        if before and _NUMBER.fullmatch(word) and self._is_order(plain(before[-1])):
            return f"{before[-1]}/{self._stem}"
        if word in STRONG or word in MILD:
            return self._stem if self._is_done(word) else ""
        return self._stem if _is_special(self._stem) or self._is_cart(word) else ""

    def _run(self) -> str:
        """A script with the name of an action; for most, something must be named that it is done to."""
        words = parts(self._stem)
        ends_session = any(word in LOGOUT for word in (*words, plain(self._stem)))
        is_sure = self._script in _WRITERS or (ends_session and not self.is_about)
        is_named = words and self._parameters and (words[0] in STRONG or words[0] == "remove")
        return self._script if is_sure or is_named else ""

    def _is_done(self, word: str) -> bool:
        """Is the last word of a path what is done to the thing before it?"""
        before = self._before
        if before and self._is_thing(before):
            return True
        if self.is_about:
            return False
        if word in LOGOUT:
            return True
        is_official = any(plain(segment) in OFFICES for segment in before)
        has_number = any(value.isdigit() for _, value in self._parameters)
        return word in STRONG and (is_official or has_number)

    @staticmethod
    def _is_thing(before: list[str]) -> bool:
        """Does a path end with the number of a thing? That of a day is none: `/2024/11/05/vote`."""
        if not _NUMBER.fullmatch(before[-1].lower()):
            return False
        return not any(_YEAR.fullmatch(segment) for segment in before[-3:])

    def _is_order(self, word: str) -> bool:
        """Is the word before a number what is done to that number?"""
        return self._is_cart(word) or (word in STRONG and not self.is_about)

    def _is_cart(self, word: str) -> bool:
        return word in ("add", "remove") and any(plain(one) in CARTS for one in self._before)

    # For who looks at the words of a link as well.

    @property
    def is_about(self) -> bool:
        """Does it lie among pages that are about words, or below a date, as the entries of a log do?"""
        return any(plain(one) in ABOUT or _YEAR.fullmatch(one) for one in self._before)

    @property
    def has_number(self) -> bool:
        """Does it name a thing by a number?"""
        if any(_ID.fullmatch(value) for _, value in self._parameters):
            return True
        return any(map(_NUMBER.fullmatch, self._segments[-2:]))

    def mentions(self, word: str) -> bool:
        """Is a word the value of a parameter, or of the path's last words: what a page is about?

        A title has several words (`how-to-logout`, `logout-explained`); `user-logout` is none.
        """
        words = parts(self._stem)
        is_title = word in words and (len(words) > _SEVERAL or words[0] == word)
        values = (plain(value) for _, value in self._parameters)
        return is_title or word == plain(self._stem) or word in values


def _split(query: str) -> list[tuple[str, str]]:
    """Names and values; some applications put semicolons between them."""
    pairs = (pair.partition("=") for pair in query.replace(";", "&").split("&") if pair)
    return [(unquote_plus(name), unquote_plus(value)) for name, _, value in pairs]


def _is_action(value: str) -> bool:
    """Is it the name of something to do? `deletemsg` is, `deleted` is not."""
    word, words = plain(value), parts(value)
    if word in VERBS:
        return True
    if words and words[0] not in LOOKS and (words[0] in VERBS or words[-1] in VERBS):
        return True
    start = next((one for one in BEGINNINGS if word.startswith(one)), "")
    return bool(start) and word[len(start) :] not in STATES


def _is_special(title: str) -> bool:
    """Is it MediaWiki's page that logs out, `Special:UserLogout`, in some language?"""
    space, colon, name = title.partition(":")
    return bool(colon and space) and plain(name) in LOGOUT
