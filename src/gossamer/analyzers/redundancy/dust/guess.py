"""From two URLs with the same content to the rules that would explain it."""

from gossamer.analyzers.redundancy.dust.rule import Name, RuleKind


def guess(url: str, origin: str, first: str) -> Name | None:
    """The rule that spells a URL, met later, like the one that was met first, or the other way round.

    >>> guess("http://a.test/x?s=2", "http://a.test", "http://a.test/x?s=1").left
    's'
    >>> name = guess("http://a.test/b/c", "http://a.test", "http://a.test/print/b/c")
    >>> name.left, name.right
    ('/print/', '/')
    >>> guess("http://a.test/x", "http://a.test", "http://a.test/y") is None
    True
    """
    if not (first.startswith(origin) and first[len(origin) :].startswith("/")):
        return _guess_origin(url, origin, first)
    path, _, query = url[len(origin) :].partition("?")
    other_path, _, other_query = first[len(origin) :].partition("?")
    if path == other_path:
        return _guess_parameter(origin, query, other_query)
    if query != other_query:
        return None
    return _guess_ending(origin, path, other_path) or _guess_prefix(origin, path, other_path)


def _guess_origin(url: str, origin: str, first: str) -> Name | None:
    path = url[len(origin) :]
    if not first.endswith(path):
        return None
    other = first[: len(first) - len(path)]
    if _bare(other) != _bare(origin):
        return None
    return Name(RuleKind.ORIGIN, origin, other)


def _bare(origin: str) -> str:
    return origin.partition("://")[2].removeprefix("www.").partition(":")[0]


def _guess_parameter(origin: str, query: str, other: str) -> Name | None:
    pairs, others = set(query.split("&")) - {""}, set(other.split("&")) - {""}
    names = {pair.partition("=")[0] for pair in pairs ^ others}
    return Name(RuleKind.PARAMETER, origin, names.pop()) if len(names) == 1 else None


def _guess_ending(origin: str, path: str, other: str) -> Name | None:
    """Same folder, and one name is the other with something before its extension."""
    longer, shorter = sorted((path, other), key=len, reverse=True)
    common = _common(longer, shorter)
    if common.rpartition("/")[0] != longer.rpartition("/")[0]:
        return None
    left, right = longer[len(common) :], shorter[len(common) :]
    if shorter.endswith("/") and not right:
        return Name(RuleKind.ENDING, origin, "/" + left, "/")
    if not left.endswith(right) or left[0].isalnum() or common.endswith("/"):
        return None
    return Name(RuleKind.ENDING, origin, left, right)


def _common(longer: str, shorter: str) -> str:
    """The beginning that both have."""
    pairs = enumerate(zip(longer, shorter, strict=False))
    return shorter[: next((place for place, (a, b) in pairs if a != b), len(shorter))]


def _guess_prefix(origin: str, path: str, other: str) -> Name | None:
    """Same end, from a slash on; the one with fewer folders is taken, or else the first."""
    segments, others = path.split("/"), other.split("/")
    if len(others) > len(segments):
        segments, others = others, segments
    same = 0
    while same < len(others) - 1 and segments[-1 - same] == others[-1 - same]:
        same += 1
    if not same or not segments[-1]:
        return None
    left = "/".join(segments[: len(segments) - same]) + "/"
    right = "/".join(others[: len(others) - same]) + "/"
    return Name(RuleKind.PREFIX, origin, left, right)
