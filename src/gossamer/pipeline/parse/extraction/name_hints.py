"""Hints in the names of an element: classes, ids and roles, in the languages that authors use."""

import re
from functools import cache, lru_cache
from itertools import groupby

from gossamer.pipeline.parse.extraction import boilerplate_words
from gossamer.pipeline.parse.extraction_kernels.element_kinds import Kind

_PARTS = {
    part: kind
    for kind, parts in (
        (Kind.FRILL, boilerplate_words.FRILL),
        (Kind.BESIDE, boilerplate_words.BESIDE),
        (Kind.CLUTTER, boilerplate_words.CLUTTER),
        (Kind.COMMENTS, boilerplate_words.COMMENTS),
    )
    for part in parts
}
_WORDS = (
    dict.fromkeys(boilerplate_words.FRILL_WORDS, Kind.FRILL)
    | dict.fromkeys(boilerplate_words.BESIDE_WORDS, Kind.BESIDE)
    | dict.fromkeys(boilerplate_words.CLUTTER_WORDS, Kind.CLUTTER)
    | dict.fromkeys(boilerplate_words.COMMENTS_WORDS, Kind.COMMENTS)
)
_TOPICS = ("tag-", "category-")
"""WordPress names the topics of a page so; they say nothing about the element."""
LONGEST_KEPT = 256
"""Of names that are remembered: only their number is bounded, and a hostile page has long ones."""
_CAMEL = re.compile("(?<=[a-z])(?=[A-Z])")
_JOINTS = re.compile("[_-]+")


def kind_of(names: str) -> Kind:
    """The kind that an element of these names is taken for.

    >>> kind_of("post-share").name, kind_of("main ShareBar").name, kind_of("shareholders tag-share").name
    ('CLUTTER', 'CLUTTER', 'NOTHING')
    """
    return min(map(_kind_of_one, names.split()), default=Kind.NOTHING)


def _kind_of_one(name: str) -> Kind:
    return _kept_kind_of_one(name) if len(name) <= LONGEST_KEPT else _judge(name)


def _judge(name: str) -> Kind:
    plain = _spell(name)
    if plain in boilerplate_words.ENTRIES:
        return Kind.ENTRY
    if plain in boilerplate_words.CLUTTER_NAMES:
        return Kind.CLUTTER
    if plain.startswith(_TOPICS):
        return Kind.NOTHING
    words = plain.split("-")
    kinds = [_PARTS[part] for part in _any_part().findall(plain)]
    kinds += [_WORDS[word] for word in words if word in _WORDS]
    if words[-1] in boilerplate_words.FRILL_LAST:
        kinds.append(Kind.FRILL)
    return min(kinds, default=Kind.NOTHING)


_kept_kind_of_one = lru_cache(1 << 15)(_judge)


@cache
def _any_part() -> re.Pattern[str]:
    """All parts, by their first letters: an expression tries one alternative after the other."""
    longest_first = sorted(_PARTS, key=lambda part: (part[0], -len(part)))
    letters = groupby(longest_first, key=lambda part: part[0])
    return re.compile(
        "|".join(f"{letter}(?:{'|'.join(part[1:] for part in some)})" for letter, some in letters)
    )


def is_lead(names: str) -> bool:
    """Is it called what stands between a headline and its article, though the name has other uses, too?"""
    return _is_kept_lead(names) if len(names) <= LONGEST_KEPT else _judge_lead(names)


def _judge_lead(names: str) -> bool:
    if kind_of(names) not in (Kind.BESIDE, Kind.FRILL):
        return False
    return any(map(_spell(names).__contains__, boilerplate_words.LEADS))


_is_kept_lead = lru_cache(1 << 12)(_judge_lead)


def _spell(name: str) -> str:
    """In small letters, with one hyphen between words: `ShareBar` and `share--bar` are one."""
    if not name.islower():
        name = _CAMEL.sub("-", name).lower()
    return _JOINTS.sub("-", name) if "_" in name or "--" in name else name
