"""The language of a text."""

import re

from resiliparse.parse.lang import detect_fast

_SAMPLE = 20_000
_SCRIPT_SAMPLE = 2_000
_LEAST = 40
"""Characters without which nothing can be said."""
_CLOSE = 450
"""The detector's measure of distance: a text of some length is closer than this to its language."""
_MARGIN = 1.04
"""How much farther than the best the second must be where the text is short."""
_TIE = 1.05
"""What is no farther than this from the best may be the truth, if the page says so itself."""

_RANGES = {
    "ja": r"\u3040-\u30ff",
    "ko": r"\uac00-\ud7a3",
    "zh": r"\u4e00-\u9fff",
    "th": r"\u0e00-\u0e7f",
    "el": r"\u0370-\u03ff",
    "he": r"\u0590-\u05ff",
}
"""Scripts that say it all. Kana come before the characters that Japanese shares with Chinese."""
_SCRIPTS = {language: re.compile(f"[{some}]") for language, some in _RANGES.items()}
_ANY_SCRIPT = re.compile(f"[{''.join(_RANGES.values())}]")
_LETTER = re.compile(r"[^\W\d_]")


def detect_language(text: str, declared: str = "") -> str:
    """A language code, or an empty string when there is too few values.

    What the page declares decides between languages that are about equally likely.

    >>> detect_language("The committee will meet on Thursday to discuss what they have found out. " * 3)
    'en'
    >>> detect_language("これは日本語で書かれた短い文章です。天気が良いので散歩に行きましょう。")
    'ja'
    """
    sample = text[:_SAMPLE]
    if found := _by_script(sample[:_SCRIPT_SAMPLE]):
        return found
    if len(sample) < _LEAST:
        return ""
    ranked = detect_fast(sample, n_results=6)
    return _choose(ranked, declared.replace("_", "-").partition("-")[0].lower())


def _choose(ranked: list[tuple[str, int]], declared: str) -> str:
    if not ranked or ranked[0][0] == "unknown":
        return ""
    (best, distance), *others = ranked
    if any(name == declared and far <= _TIE * distance for name, far in others):
        return declared
    is_clear = distance <= _CLOSE or not others or others[0][1] >= _MARGIN * distance
    return best if is_clear or best == declared else ""


def _by_script(sample: str) -> str:
    """A script of its own that a good part of the letters is in."""
    if sample.isascii() or not _ANY_SCRIPT.search(sample):
        return ""
    letters = len(_LETTER.findall(sample))
    for language, script in _SCRIPTS.items():
        share = 0.05 if language == "ja" else 0.3
        if letters >= 8 and len(script.findall(sample)) > share * letters:
            return language
    return ""
