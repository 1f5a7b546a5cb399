"""From text to terms: words in lower case, without accents, cut down to their stems.

Each language with a stemmer has fields of its own, for the same letters have other stems elsewhere. All other
languages share one. Scripts without spaces between words are cut into pairs of letters that overlap. Words
like `the` are in the index, so that they are found in phrases; as single words of a question they are left
out, unless there is no other.
"""

import re
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
    """Pairs of letters instead of what has no spaces between its words.

    >>> spread("Python で検索する")
    'Python  で検 検索 索す する '
    """
    return _RUN.sub(_pairs, text) if has_unspaced(text) else text


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
    """What the engine does with each text of a group."""
    return _builder(group).build()


@cache
def _without_stop_words(group: str) -> "tantivy.TextAnalyzer":
    return _builder(group, is_stopped=group in _STOPPED).build()


def _builder(group: str, *, is_stopped: bool = False) -> "tantivy.TextAnalyzerBuilder":
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    builder = TextAnalyzerBuilder(Tokenizer.simple())
    builder = builder.filter(Filter.remove_long(_LONGEST_TERM)).filter(Filter.lowercase())
    if is_stopped:
        builder = builder.filter(Filter.stopword(STEMMERS[group]))
    if group in STEMMERS:
        builder = builder.filter(Filter.stemmer(STEMMERS[group]))
    return builder.filter(Filter.ascii_fold())


def terms_of(text: str, group: str = ANY) -> list[str]:
    """The terms of a text, in order."""
    return analyser(group).analyze(spread(text))


def is_stop_word(word: str, group: str) -> bool:
    """Is it a word that says nothing alone?"""
    return bool(terms_of(word, group)) and not _without_stop_words(group).analyze(word)
