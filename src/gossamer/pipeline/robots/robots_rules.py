"""A robots.txt, read: which agent may fetch which paths (RFC 9309, section 2.2)."""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from gossamer.pipeline.robots.robots_escapes import canonical_parts, canonical_path
from gossamer.pipeline.robots.robots_lines import Field, as_text, read_fields
from gossamer.pipeline.robots.rule_pattern import RulePattern

# A rule's rank is twice its length in octets, plus one if it allows. The highest rank among the
# rules that match decides: so the longest match wins, `Allow` wins a tie, and the lowest bit of
# the rank is the answer.
_NO_RULE = 1
_ALWAYS = (1 << 62) + 1

_MANY = 256
"""With more prefixes than these, looking them up costs less than the quick look before it."""

_INDEX = "/index.html"


_EMPTY, _PER_LINE, _PER_WILDCARD, _PER_PART = 500, 160, 200, 60
"""Bytes that each takes up besides its text, measured and rounded up."""


class Rule(Struct, frozen=True, gc=False):
    """One Allow or Disallow line."""

    allow: bool
    path: str
    line: int = 0

    def __str__(self) -> str:
        return f"{'Allow' if self.allow else 'Disallow'}: {self.path}"


class Rules:
    """All that a robots.txt says to one agent, made ready for many questions.

    Rules without wildcards are looked up by every length that one of them has, unless one quick
    look says that none can match, which is the common case. Those with wildcards are tried from
    the longest on, and only while they could still change the answer.

    >>> rules = Rules([Rule(False, "/"), Rule(True, "/*.html$")])
    >>> rules.is_allowed("/a.html"), rules.is_allowed("/a.html?b")
    (True, False)
    """

    __slots__ = (
        "_beginnings",
        "_lengths",
        "_prefixes",
        "_wholes",
        "_wildcards",
        "agent",
        "crawl_delay",
        "lines",
        "size",
    )

    def __init__(
        self, lines: Iterable[Rule], crawl_delay: float | None = None, agent: str = ""
    ) -> None:
        self.lines = tuple(lines)
        self.crawl_delay = crawl_delay
        """Seconds between two requests, as the file asks; None when it does not."""
        self.agent = agent
        """The group that was followed: an agent's name in lower case, `*`, or empty for none."""
        self.size = _EMPTY + sum(_PER_LINE + len(rule.path) for rule in self.lines)
        """Bytes that it takes up in memory, roughly."""
        self._wholes: dict[str, int] = {"/robots.txt": _ALWAYS}
        self._prefixes: dict[str, int] = {}
        self._wildcards: list[tuple[int, str, RulePattern]] = []
        for rule in self.lines:
            for path in _meant_by(rule):
                self._add(path, rule.allow)
        self._wildcards.sort(key=lambda wildcard: -wildcard[0])
        self._lengths = tuple(sorted({len(prefix) for prefix in self._prefixes}, reverse=True))
        self._beginnings = tuple(self._prefixes) if len(self._prefixes) <= _MANY else ("",)

    def is_allowed(self, path: str) -> bool:
        """May this path, with its query, be fetched?"""
        return self.rank(path) & 1 == 1

    @property
    def forbids_all(self) -> bool:
        """Is nothing allowed, whatever the path?"""
        return not self.is_allowed("/") and not any(rule.allow for rule in self.lines)

    def rank(self, path: str) -> int:
        """The rank of the rule that decides; its lowest bit is set when the path is allowed."""
        if "%" in path or not path.isascii():
            path = canonical_path(path)
        best = self._wholes.get(path, _NO_RULE)
        if path.startswith(self._beginnings):
            prefixes = self._prefixes
            for length in self._lengths:
                if path[:length] in prefixes:  # true as well when the path is short and a prefix
                    best = max(best, prefixes[path[:length]])
                    break
        for rank, needle, pattern in self._wildcards:
            if rank <= best:
                break
            if needle in path and pattern.is_match(path):
                return rank
        return best

    def deciding(self, path: str) -> Rule | None:
        """The rule that decides about this path; None when none matches it. Slow."""
        rank = self.rank(path)
        if rank in (_NO_RULE, _ALWAYS):
            return None
        return next(rule for rule in self.lines if Rules((rule,)).rank(path) == rank)

    def _add(self, path: str, allow: bool) -> None:
        is_anchored = path.endswith("$")
        for parts, octets in _readings(path.removesuffix("$")):
            rank = 2 * (octets + is_anchored) + allow
            if len(parts) > 1:
                needle = max(parts, key=len)
                self._wildcards.append((rank, needle, RulePattern(parts, is_anchored)))
                self.size += _PER_WILDCARD + _PER_PART * len(parts) + octets
            else:
                ranks = self._wholes if is_anchored else self._prefixes
                ranks[parts[0]] = max(rank, ranks.get(parts[0], 0))


def _meant_by(rule: Rule) -> Iterator[str]:
    """The paths that a rule stands for; a path that cannot match any URL's is left out."""
    if rule.path.startswith(("/", "*")):
        yield rule.path
        if rule.allow and rule.path.endswith(_INDEX):
            # As Google does: who lets us have the index page lets us have its folder.
            yield rule.path.removesuffix("index.html") + "$"


def _readings(path: str) -> Iterator[tuple[list[str], int]]:
    """The literal parts of a path in canonical spelling, and its length in octets.

    There are two when a part behind a wildcard means one thing in a path and another in a query;
    the one for a query asks for a `?` before.
    """
    parts = path.split("*")
    if "%" not in path and path.isascii():
        yield parts, len(path)
        return
    in_path, in_query = (canonical_parts(parts, is_query) for is_query in (False, True))
    yield in_path, _octets(in_path)
    if in_query != in_path:
        yield [in_query[0], "?", *in_query[1:]], _octets(in_query)


def _octets(parts: list[str]) -> int:
    return sum(map(len, parts)) + len(parts) - 1


class _Group:
    """Agents that share a run of rules."""

    __slots__ = ("agents", "delays", "rules")

    def __init__(self) -> None:
        self.agents: dict[str, int] = {}
        """Each agent with its place in the group."""
        self.rules: list[Rule] = []
        self.delays: list[tuple[int, float]] = []
        """Crawl-delays, each with how many agents of the group stood above it: those it is for."""

    def delays_of(self, agent: str) -> Iterator[float]:
        place = self.agents[agent]
        return (delay for named, delay in self.delays if place < named)


class RobotsFile:
    """A robots.txt as a whole."""

    __slots__ = ("_groups", "sitemaps")

    def __init__(self, groups: Sequence[_Group], sitemaps: tuple[str, ...]) -> None:
        self._groups: dict[str, list[_Group]] = {}
        for group in groups:
            for agent in group.agents:
                self._groups.setdefault(agent, []).append(group)
        self.sitemaps = sitemaps
        """What the Sitemap lines name, as written, each once."""

    def for_agent(self, product_token: str) -> Rules:
        """The rules of all groups that name the agent; if none does, of those for `*`.

        >>> robots = parse(b"user-agent: a\\ndisallow: /x\\nuser-agent: *\\ndisallow: /")
        >>> robots.for_agent("A").is_allowed("/y"), robots.for_agent("B").is_allowed("/y")
        (True, False)
        """
        return Rules(*self.merged(product_token))

    def merged(self, product_token: str) -> tuple[tuple[Rule, ...], float | None, str]:
        """The lines that `for_agent` makes its rules of, the Crawl-delay, and whose they are."""
        for agent in (product_token.lower(), "*"):
            if groups := self._groups.get(agent):
                lines = tuple(rule for group in groups for rule in group.rules)
                delays = [delay for group in groups for delay in group.delays_of(agent)]
                return lines, max(delays, default=None), agent
        return (), None, ""


def parse(body: bytes, *, is_cut: bool = False) -> RobotsFile:
    """Read a robots.txt; whatever the bytes are, something is made of them.

    A line that names an agent begins a group if it comes after a rule, else it joins the group
    before it; no other line ends a group. `is_cut` says that the end of the file is missing, so
    that the last line may be half of one.

    >>> parse(b"User-agent: *\\nDisallow: /private").for_agent("Gossamer").is_allowed("/private/a")
    False
    """
    groups: list[_Group] = []
    sitemaps: dict[str, None] = {}
    is_open = False
    for number, field, value in read_fields(body, is_cut):
        if field is Field.SITEMAP:
            sitemaps[as_text(value)] = None
        elif field is Field.USER_AGENT:
            if not is_open:
                groups.append(_Group())
                is_open = True
            _name(groups[-1], as_text(value))
        elif groups:
            if field is Field.CRAWL_DELAY:
                _slow_down(groups[-1], value)
            else:
                is_open = False
                groups[-1].rules.append(Rule(field is Field.ALLOW, as_text(value), number))
    return RobotsFile(groups, tuple(filter(None, sitemaps)))


_TOKEN = re.compile("[a-zA-Z_-]*")
_SECONDS = re.compile(rb"\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}")


def product_token(text: str) -> str:
    """The part of an agent's name that counts: RFC 9309 knows letters, `_` and `-`.

    >>> product_token("Gossamer/1.0")
    'Gossamer'
    """
    found = _TOKEN.match(text)
    return found[0] if found else ""


def _name(group: _Group, agent: str) -> None:
    is_everyone = agent[:1] == "*" and not agent[1:2].strip()
    name = "*" if is_everyone else product_token(agent).lower()
    if name:
        group.agents.setdefault(name, len(group.agents))


def _slow_down(group: _Group, value: bytes) -> None:
    if seconds := _SECONDS.match(value):
        group.delays.append((len(group.agents), float(seconds[0])))
