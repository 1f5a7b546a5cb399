"""Words of many languages by which forms and their fields can be recognised.

`form_words.txt` has a list for each topic: beginnings of words, in lower case, as pages spell them.
They are hints for the model, never a decision: what may be submitted is decided by
`submission_rules`.
"""

import re
from importlib.resources import files

_WORD = re.compile(r"[^\W_]+")
_CASE = re.compile(r"(?<=[a-zа-я])(?=[A-ZА-Я])")


def split_words(text: str) -> list[str]:
    """The words of a text or name, in lower case; names in camel case are taken apart.

    >>> split_words("searchBox_main q")
    ['search', 'box', 'main', 'q']
    """
    return _WORD.findall(_CASE.sub(" ", text).lower())


def _by_beginning() -> dict[str, list[tuple[str, str]]]:
    found: dict[str, set[tuple[str, str]]] = {}
    text = (files("gossamer.forms") / "form_words.txt").read_text("utf-8")
    for line in text.splitlines():
        topic, _, words = line.partition(": ")
        for word in _WORD.findall(words) if not line.startswith("#") else ():
            found.setdefault(word[0], set()).add((word, topic))
    return {first: sorted(pairs) for first, pairs in found.items()}


_BEGINNINGS = _by_beginning()
_SHORT = 3


def topics_of(words: list[str]) -> set[str]:
    """The topics that words belong to; a short one must be the whole word.

    >>> sorted(topics_of(["suchbegriff"]))
    ['search']
    """
    return {
        topic
        for word in words
        for beginning, topic in _BEGINNINGS.get(word[0], ())
        if word == beginning
        or (len(beginning) > _SHORT and word.startswith(beginning))
        or (beginning[0] > "\u2e7f" and beginning in word)
    }
