"""JSON as pages have it: strict if it can be, else by a reader that forgives what people and templates do.

Forgiven are comments, wrappers (`<!-- -->`, CDATA, `var x = …;`), trailing, doubled and missing commas, raw
control characters, single and curly quotes, bare words, missing values, numbers out of form, entities, text
after the end, and an end that is missing. Several values one after the other are all read.
"""

import html
import json
import re
from typing import Any

MOST_DEPTH = 100
MOST_TEXT = 4 << 20
_WRAPPERS = re.compile(
    r"\A\s*(?:(?://|/\*)?\s*<!\[CDATA\[\s*(?:\*/)?|<!--(?:\s*//)?|<script[^>]*>|"
    r"(?:var|let|const|window\.)?\s*[\w.$]+\s*=(?=\s*[\[{]))",
    re.IGNORECASE,
)
_END = re.compile(
    r"(?:(?://|/\*)?\s*\]\]>\s*(?:\*/)?|(?://\s*)?-->|</script>|;)\s*\Z", re.IGNORECASE
)
_SPACE = re.compile(
    r"(?:[\s\ufeff\u00a0\u200b\u2028\u2029]|//[^\n]*(?:\n|\Z)|/\*.*?\*/|<!--.*?-->)+", re.DOTALL
)
_NUMBER = re.compile(r"[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?=[\s,}\]:;]|\Z)")
_BARE = re.compile(r"[^\s,:{}\[\]\"']+(?:[ \t]+[^\s,:{}\[\]\"']+)*")
_QUOTES = {'"': '"', "'": "'", "“": "”", "”": "”", "„": "“", "‘": "’", "«": "»", "`": "`"}
_WORDS = {
    "true": True, "false": False, "null": None, "none": None, "undefined": None, "nan": None,
    "infinity": None, "-infinity": None,
}  # fmt: skip
_SURROGATE = re.compile(
    r"(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
"""A pair of surrogates, which is a character, or one alone, which is none."""
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_AFTER_TEXT = re.compile(r"[\s\u00a0]*(?:[:,}\]]|\Z)")
_MEMBER = re.compile(r"[\s\u00a0]*[\"'“][\w@:-]+[\"'”]\s*:")
_COMMENT = re.compile(r"\s*(?://|/\*)")
_AFTER_COMMA = re.compile(r"[\s\u00a0]*(?:[\"'“{\[}\]\d,/-]|\Z|[A-Za-z_@]+\s*[:,}\]])")


def read_json(text: str) -> list[Any]:
    """All values in a text.

    >>> read_json('{"a": 1,}'), read_json("[{a: 'b'}"), read_json("no JSON")
    ([{'a': 1}], [[{'a': 'b'}]], [])
    """
    text = text.strip("\ufeff \t\r\n\x00")
    if not text or len(text) > MOST_TEXT:
        return []
    text = _SURROGATE.sub(lambda found: found[1] or "\\ufffd", text)
    try:
        return [json.loads(text, strict=False, parse_constant=lambda name: None)]
    except (ValueError, RecursionError):
        pass
    text = _unwrap(text)
    if "&quot;" in text and text.count("&quot;") > text.count('"'):
        text = html.unescape(text)
    reader = _Reader(text)
    return reader.read_all()


def _unwrap(text: str) -> str:
    for _ in range(4):
        again = _END.sub("", _WRAPPERS.sub("", text))
        if again == text:
            break
        text = again
    return text


class _Reader:
    """Reads values from a text, one after the other; never fails, and always moves on."""

    def __init__(self, text: str) -> None:
        for start, end in (("/*", "*/"), ("<!--", "-->")):  # comments without an end are none
            last = text.rfind(end)
            text = text[: last + 1] + text[last + 1 :].replace(start, " " * len(start))
        self.text = text
        self.at = 0

    def read_all(self) -> list[Any]:
        found = []
        while self.at < len(self.text):
            starts = [
                one
                for one in (self.text.find("{", self.at), self.text.find("[", self.at))
                if one >= 0
            ]
            if not starts:
                break
            self.at = min(starts)
            value = self._value(0)
            if value:
                found.append(value)
        return found

    def _space(self) -> None:
        if found := _SPACE.match(self.text, self.at):
            self.at = found.end()

    def _peek(self) -> str:
        self._space()
        return self.text[self.at : self.at + 1]

    def _value(self, depth: int) -> Any:
        one = self._peek()
        if one == "{" and depth < MOST_DEPTH:
            return self._object(depth + 1)
        if one == "[" and depth < MOST_DEPTH:
            return self._array(depth + 1)
        if one in _QUOTES and one:
            return self._text(is_key=False)
        if found := _NUMBER.match(self.text, self.at):
            self.at = found.end()
            return _number(found[0])
        if found := _BARE.match(self.text, self.at):
            self.at = found.end()
            word = found[0].strip().rstrip(";")
            return _WORDS.get(word.lower(), word)
        return None

    def _object(self, depth: int) -> dict[str, Any]:
        self.at += 1
        found: dict[str, Any] = {}
        while one := self._peek():
            if one == "}":
                self.at += 1
                break
            if one == "]":  # closes what is around: this object was left open
                break
            start = self.at
            if one in _QUOTES:
                name: Any = self._text(is_key=True)
            elif bare := _BARE.match(self.text, self.at):
                self.at, name = bare.end(), bare[0].strip()
            else:
                self.at += 1
                continue
            if self._peek() == ":":
                self.at += 1
                value = None if self._peek() in (",", "}", "]", "") else self._value(depth)
                if value is not None:
                    found.setdefault(str(name), value)
            if self.at == start:
                self.at += 1
        return found

    def _array(self, depth: int) -> list[Any]:
        self.at += 1
        found = []
        while one := self._peek():
            if one == "]":
                self.at += 1
                break
            if one == "}":  # closes what is around: this list was left open
                break
            start = self.at
            value = None if one in ",:" else self._value(depth)
            if value is not None:
                found.append(value)
            if self.at == start:
                self.at += 1
        return found

    def _text(self, is_key: bool) -> str:
        """A text in quotes. A quote that nothing of JSON follows belongs to the text."""
        end = _QUOTES[self.text[self.at]]
        self.at += 1
        pieces: list[str] = []
        while self.at < len(self.text):
            one = self.text[self.at]
            if one == "\\":
                pieces.append(self._escape())
                continue
            self.at += 1
            if one == end and self._is_end(is_key):
                break
            pieces.append(one)
        return "".join(pieces)

    def _is_end(self, is_key: bool) -> bool:
        """Does a quote end the text, by what follows?"""
        after = _AFTER_TEXT.match(self.text, self.at)
        if after is None:  # a comma may be missing, or a comment follows
            return (
                is_key
                or bool(_MEMBER.match(self.text, self.at))
                or bool(_COMMENT.match(self.text, self.at))
            )
        mark = after[0].strip()
        if mark == ":":
            return is_key
        # Within a text, a comma is followed by words; behind one, by a member, a value, or an end.
        return mark != "," or bool(_AFTER_COMMA.match(self.text, after.end()))

    def _escape(self) -> str:
        one = self.text[self.at + 1 : self.at + 2]
        digits = self.text[self.at + 2 : self.at + 6]
        if one == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", digits):
            self.at += 6
            code = int(digits, 16)
            if 0xD800 <= code < 0xDC00 and (
                low := re.match(r"\\u([dD][c-fC-F]..)", self.text[self.at : self.at + 6])
            ):
                self.at += 6
                return chr(0x10000 + ((code - 0xD800) << 10) + (int(low[1], 16) - 0xDC00))
            return "�" if 0xD800 <= code < 0xE000 else chr(code)
        self.at += 2
        return _ESCAPES.get(one, one)


def _number(text: str) -> Any:
    text = text.replace("_", "").lstrip("+")
    plain = text.lstrip("-")
    if len(plain) > 1 and plain[0] == "0" and plain.isdigit():
        return text  # a code, not a number
    try:
        return int(text) if plain.isdigit() and len(plain) < 300 else float(text)
    except ValueError:
        return text
