"""From text to terms: words without accents, in lower case, cut down to their stems.

Accents go first, so that `securite` has the stem of `sécurité`. Each language with a stemmer has its own
fields, for the same letters have other stems elsewhere. All other languages share one. Scripts without spaces
between words are cut into pairs of letters that overlap. `C++` and `C#` are words of their own. Words like
`the` are in the index, so that they are found in phrases; as single words of a question they are left out,
unless there is no other.
"""

import re
import unicodedata
from collections.abc import Container, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import tantivy

ANY = "any"
"""Languages without a stemmer, and what is too short to tell."""
STEMMERS = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "fi": "finnish", "fr": "french", "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip
_STOPPED = frozenset(["da", "de", "en", "es", "fi", "fr", "hu", "it", "nl", "no", "pt", "ru", "sv"])
"""Languages whose frequent words are known to the engine."""
GROUPS = (ANY, *STEMMERS)
_LONGEST_TERM = 64
_UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff"  # Kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"  # Hangul
)
_FIRST, _OTHERS = 0x0E00, (0x1E00, 0x3000)
"""Where unspaced scripts begin; in between are Latin letters with accents, dashes, quotes and signs."""
_RUN = re.compile(f"[{_UNSPACED}]+")


def group_of(language: str | None) -> str:
    """The group of fields for texts in a language.

    >>> group_of("de"), group_of("nb"), group_of("ja"), group_of(None)
    ('de', 'no', 'any', 'any')
    """
    code = (language or "").partition("-")[0].lower()
    code = {"nb": "no", "nn": "no"}.get(code, code)
    return code if code in STEMMERS else ANY


def spread(text: str) -> str:
    """Text as the engine can cut it into words.

    What has no spaces between its words becomes pairs of letters. Letters and their accents become one sign,
    full-width letters usual ones. `C++` gets a word that says so.

    >>> spread("Python で検索する")
    'Python  で検 検索 索す する '
    >>> spread("C++ or C#")
    'C cplusplus  or C csharp '
    """
    if "++" in text or "#" in text:
        text = _SIGNED.sub(_spell, text)
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text)
    return _RUN.sub(_pairs, text) if has_unspaced(text) else text


_SIGNED = re.compile(r"(?<!\w)([A-Za-z])(\+\+|#)(?!\w)")


def _spell(match: re.Match[str]) -> str:
    letter, sign = match.groups()
    return f"{letter} {letter.lower()}{'sharp' if sign == '#' else 'plusplus'} "


def is_unspaced_letter(term: str) -> bool:
    """
    >>> is_unspaced_letter("水"), is_unspaced_letter("a")
    (True, False)
    """
    return len(term) == 1 and bool(_RUN.fullmatch(term))


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def humps(word: str) -> str:
    """The parts of a name in CamelCase; nothing for other words.

    >>> humps("ConcurrentHashMap"), humps("HTTPServer"), humps("Tea"), humps("NASA")
    ('Concurrent Hash Map', 'HTTP Server', '', '')
    """
    parts = _HUMP.split(word)
    return " ".join(parts) if len(parts) > 1 and word.isascii() and word.isalnum() else ""


def has_unspaced(text: str) -> bool:
    """May there be letters of these scripts? Eight times as fast as to look for them by a pattern."""
    if text.isascii():
        return False
    letters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return bool(((letters >= _FIRST) & ((letters < _OTHERS[0]) | (letters >= _OTHERS[1]))).any())


def _pairs(match: re.Match[str]) -> str:
    run = match.group()
    pairs = [run[at : at + 2] for at in range(len(run) - 1)] or [run]
    return f" {' '.join(pairs)} "


@cache
def analyser(group: str) -> "tantivy.TextAnalyzer":
    """The analyser that the engine applies to each text of a group."""
    return _builder(group).build()


@cache
def _without_stop_words(group: str) -> "tantivy.TextAnalyzer":
    return _builder(group, is_stopped=group in _STOPPED).build()


def _builder(group: str, *, is_stopped: bool = False) -> "tantivy.TextAnalyzerBuilder":
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    builder = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(_LONGEST_TERM))
    if is_stopped:  # its list has accents
        builder = builder.filter(Filter.lowercase()).filter(Filter.stopword(STEMMERS[group]))
    builder = builder.filter(Filter.ascii_fold()).filter(Filter.lowercase())
    return builder.filter(Filter.stemmer(STEMMERS[group])) if group in STEMMERS else builder


def terms_of(text: str, group: str = ANY) -> list[str]:
    """The terms of a text, in order."""
    return analyser(group).analyze(spread(text))


_EDGES = re.compile(r"^\W+|\W+$")
_SENTENCE = 5
"""A question of this many words is a sentence: there, `get` and `while` are hardly what is asked for."""
_ENGLISH = """
a about after all also am an and any anybody anyone anything are as at be because been before being
but by can cannot could did do does doing done each either else every for from get gets getting give
had has have having he her here hers him his how i if in instead into is it its itself just let like
make makes making may me might mine more most must my need needs no nor not of off on one only onto
or other our ours ought out over own please shall she should since so some somebody someone
something such than that the their theirs them then there these they this those through to too under
until up upon us use used using very want was way we were what when where whether which while who
whom whose why will with within without would you your yours
"""
_FUNCTION_WORDS = {"en": frozenset((*_ENGLISH.split(), "ca", "wo"))}
"""Words of which sentences are built, and what is left of `can't` and `won't`; the engine's own list of
English ones has only 33."""


def stop_words(words: Sequence[str], group: str) -> set[str]:
    """The words of a question that say nothing alone; none where all are such words.

    >>> sorted(stop_words("How do I get the date of a day?".split(), "en"))
    ['How', 'I', 'a', 'do', 'get', 'of', 'the']
    >>> sorted(stop_words("What's the user's name, I don't know".split(), "en"))
    ['I', "What's", "don't", 'the']
    >>> stop_words(["while", "loop"], "en"), stop_words(["The", "Who"], "en"), stop_words(["war"], "de")
    (set(), {'The'}, set())
    """
    more = _FUNCTION_WORDS.get(group, frozenset()) if len(words) >= _SENTENCE else frozenset()
    found = {word for word in words if _is_stop_word(word, group, more)}
    return found if found != {*words} else set()


_SHORTENED = re.compile(r"['\u2019](?:s|m|re|ve|ll|d)$|(?:n|(?<=ca|wo))['\u2019]t$", re.IGNORECASE)
"""What hangs on a word: `user's`, `don't`, `can't`, `I'm`."""


def terms_asked(word: str, group: str) -> list[str]:
    """The terms of a word of a question.

    >>> terms_asked("user's", "en"), terms_asked("user-agent", "en"), terms_asked("l'eau", "fr")
    (['user'], ['user', 'agent'], ['l', 'eau'])
    """
    return terms_of(_whole(word, group), group)


def _whole(word: str, group: str) -> str:
    """A word without what hangs on it.

    >>> _whole("user's", "en"), _whole("don't", "en"), _whole("can't", "en")
    ('user', 'do', 'ca')
    """
    if group != "en" or not ("'" in word or "\u2019" in word):
        return word
    return _SHORTENED.sub("", _EDGES.sub("", word))


def _is_stop_word(word: str, group: str, more: Container[str]) -> bool:
    bare = _EDGES.sub("", word)
    if bare != (whole := _whole(bare, group)):
        return whole.lower() in more
    if not bare.isalpha() or bare != word.rstrip("?!.,;:"):
        return False
    if bare.lower() in more:
        return True
    return bool(terms_of(bare, group)) and not _without_stop_words(group).analyze(bare)
