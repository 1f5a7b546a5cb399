"""Percent-encoding: one spelling for paths and patterns that RFC 9309 calls the same.

RFC 9309, 2.2.2 compares octets after percent-encoding what is not ASCII and decoding what is
encoded without need; 2.2.3 lets `%2A` and `%24` stand for a literal `*` and `$`. Any fixed
spelling serves to compare two texts, so the one chosen here leaves a path without `%`, which
is nearly every path, as it is:

- an octet beyond ASCII is written `%E3`, with capital digits;
- unreserved characters, and those that a URL may not contain or that robots.txt reads as
  special, are written plainly: `%7E` is `~`, `%7B` is `{`, `%2A` is `*`;
- reserved characters are written plainly too where they separate nothing: in a path all but `/`, `?`
  and `#`, in a query all but `#`, `&`, `=` and `+`, as in the RFC's example
  `?baz=http%3A%2F%2Ffoo.bar`. The RFC would tell `/Special:` from `/Special%3A`, but servers do not,
  and nor do those who write rules: a rule is meant for both;
- every other escape keeps its meaning and gets capital digits; a `%` that begins none is `%25`.
"""

import re
from string import ascii_letters, digits

_PLAIN = ascii_letters + digits + "-._~" + ' "<>\\^`{|}[]' + "*$" + ":@!'(),;"
_PLAIN_IN_PATH = _PLAIN + "&=+"
_PLAIN_IN_QUERY = _PLAIN + "/?"


class _Spelling:
    """Rewrites what is not in the chosen spelling, and finds quickly that nothing is."""

    def __init__(self, plain: str) -> None:
        kept = "|".join(f"{octet:02X}" for octet in range(0x80) if chr(octet) not in plain)
        stays = f"(?!(?:[89A-F][0-9A-F]|{kept}))"
        self._changing = re.compile(f"%{stays}(?:[0-9A-Fa-f]{{2}})?|[\x80-\xff]")
        self._plain = plain

    def write(self, octets: str) -> str:
        return self._changing.sub(self._rewrite, octets)

    def _rewrite(self, found: re.Match[str]) -> str:
        text = found[0]
        octet = chr(int(text[1:], 16)) if len(text) > 1 else text
        return octet if octet in self._plain else f"%{ord(octet):02X}"


_IN_PATH = _Spelling(_PLAIN_IN_PATH)
_IN_QUERY = _Spelling(_PLAIN_IN_QUERY)


def canonical_path(path: str) -> str:
    """The path and query of a URL, in the spelling that rules are compared in.

    >>> canonical_path("/foo/bar/%62%61%7A"), canonical_path("/ツ"), canonical_path("/a%2fb?c=%2Fd")
    ('/foo/bar/baz', '/%E3%83%84', '/a%2Fb?c=/d')
    """
    if "%" not in path and path.isascii():
        return path
    before, mark, query = _octets(path).partition("?")
    return _IN_PATH.write(before) + mark + _IN_QUERY.write(query)


def canonical_parts(parts: list[str], is_query: bool) -> list[str]:
    """The literal parts of a pattern, between its wildcards, in the same spelling.

    Behind a `*` and before the first `?` of the pattern it is unknown whether a part will meet
    the path or the query; `is_query` says which of the two to take it for.
    """
    spelled = []
    spelling = _IN_PATH  # what stands before the first wildcard is surely in the path
    for part in parts:
        before, mark, after = _octets(part).partition("?")
        spelled.append(spelling.write(before) + mark + _IN_QUERY.write(after))
        if mark:
            is_query = True
        spelling = _IN_QUERY if is_query else _IN_PATH
    return spelled


def _octets(text: str) -> str:
    """One character per octet of the text in UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "surrogatepass").decode("latin-1")
