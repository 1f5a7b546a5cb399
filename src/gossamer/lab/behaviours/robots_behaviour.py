"""robots.txt of several kinds, one per host, and links to the paths they forbid."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from gossamer.lab.behaviours.behaviour import Leaf, LeafBehaviour
from gossamer.lab.url_answer import Answer

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web

FILE = "/robots.txt"
_MOVED = "policies"
_OTHER_AGENT = "Otherbot"


class RulesGroup(NamedTuple):
    """The rules for some agents; a rule is whether it allows, and a pattern."""

    agents: tuple[str, ...]
    rules: tuple[tuple[bool, str], ...]
    crawl_delay: float | None = None


class RobotsKind(NamedTuple):
    """Kinds of robots.txt that a host sends."""

    name: str
    groups: tuple[RulesGroup, ...] = ()
    status: int = 200
    is_moved: bool = False
    is_messy: bool = False


def _everyone(*rules: tuple[bool, str], delay: float | None = None) -> RulesGroup:
    return RulesGroup(("*",), rules, delay)


_ALLOW, _DISALLOW = True, False
_SOME = _everyone((_DISALLOW, "/private/"), (_DISALLOW, "/cgi-bin/"))
_WILD = _everyone(
    (_DISALLOW, "/private/"),
    (_ALLOW, "/private/press/"),
    (_DISALLOW, "/*?sort="),
    (_DISALLOW, "/*.cgi$"),
)
_STRANGERS_OUT = _everyone((_DISALLOW, "/"))


@lru_cache
def _kinds(crawl_delay: float, agent: str) -> tuple[RobotsKind, ...]:
    for_us = RulesGroup((agent,), ((_DISALLOW, "/private/"),))
    not_them = RulesGroup((_OTHER_AGENT,), ((_DISALLOW, "/"),))
    for_both = RulesGroup((_OTHER_AGENT, agent.upper()), ((_DISALLOW, "/cgi-bin/"),))
    return (
        RobotsKind("some", (_SOME,)),
        RobotsKind("all", (_everyone((_DISALLOW, "")),)),
        RobotsKind("missing", status=404),
        RobotsKind("wildcards", (_WILD,)),
        RobotsKind("delay", (_everyone((_DISALLOW, "/private/"), delay=crawl_delay),)),
        RobotsKind("agents", (_STRANGERS_OUT, for_us)),
        RobotsKind("shared group", (_STRANGERS_OUT, for_both)),
        RobotsKind("merged groups", (not_them, for_us, _STRANGERS_OUT, for_both)),
        RobotsKind("others only", (not_them,)),
        RobotsKind("messy", (_WILD,), is_messy=True),
        RobotsKind("moved", (_SOME,), is_moved=True),
        RobotsKind("some", (_SOME,)),
        RobotsKind("wildcards", (_WILD,)),
        RobotsKind("all", (_everyone((_DISALLOW, "")),)),
        RobotsKind("missing", status=410),
        RobotsKind("broken", status=500),
    )


@dataclass(frozen=True)
class Robots(LeafBehaviour):
    """Sixteen equally likely kinds of robots.txt; the seed's host has the first, which is mild."""

    name: ClassVar[str] = "robots"
    folders: ClassVar[tuple[str, ...]] = (
        *("private", "private/press", "catalogue", "cgi-bin", "scripts"),
        _MOVED,
    )
    leaves: ClassVar[tuple[Leaf, ...]] = (
        Leaf("private"),
        Leaf("private/press"),
        Leaf("catalogue", ".html?sort=price"),
        Leaf("cgi-bin"),
        Leaf("scripts", ".cgi"),
    )
    every: int = 3
    crawl_delay: float = 0.5
    agent: str = "Gossamer"
    """The product token that some of the files address."""

    def kind_of(self, web: Web, site: int) -> RobotsKind:
        if site == 0:
            return _kinds(self.crawl_delay, self.agent)[0]
        return _kinds(self.crawl_delay, self.agent)[web.draw("robots kind", site) % 16]

    def file(self, web: Web, site: int) -> Answer:
        """The answer to /robots.txt."""
        kind = self.kind_of(web, site)
        if kind.is_moved:
            keeper = web.neighbour(site) if web.draw("robots mover", site) & 1 else site
            location = f"{web.origin(keeper)}/{_MOVED}/robots-{site}.txt"
            return Answer(
                site,
                0,
                "robots",
                status=301,
                location=location,
                content=b"",
                media_type="text/plain",
            )
        return _as_file(site, kind)

    def answer(self, web: Web, site: int, folder: str, target: str) -> Answer | None:
        if folder == _MOVED:
            return self._moved_file(web, target)
        return super().answer(web, site, folder, target)

    def _moved_file(self, web: Web, target: str) -> Answer | None:
        number = target.removeprefix(f"/{_MOVED}/robots-").removesuffix(".txt")
        if not (number.isdecimal() and len(number) < 10 and int(number) < web.hosts):
            return None
        kind = self.kind_of(web, int(number))
        return _as_file(int(number), kind) if kind.is_moved else None

    def is_allowed(self, web: Web, site: int, target: str, agent: str) -> bool:
        """May `agent` fetch it? As RFC 9309 says: 4xx allows all, 5xx nothing."""
        kind = self.kind_of(web, site)
        if kind.status >= 500:
            return False
        return kind.status >= 400 or is_allowed_by(_rules_for(kind.groups, agent), target)

    def delay_of(self, web: Web, site: int, agent: str) -> float:
        groups = _groups_for(self.kind_of(web, site).groups, agent)
        return max((group.crawl_delay or 0.0 for group in groups), default=0.0)


def _as_file(site: int, kind: RobotsKind) -> Answer:
    text = _write(kind.groups) if kind.status == 200 else "There is no such file.\n"
    if kind.is_messy:
        text = "\ufeff" + text.replace("Disallow: ", "disALLOW :\t").replace("\n", "   # why?\r\n")
    return Answer(
        site, 0, "robots", status=kind.status, content=text.encode(), media_type="text/plain"
    )


def _write(groups: Sequence[RulesGroup]) -> str:
    lines = ["# Made by the simulated web"]
    for group in groups:
        lines += [f"User-agent: {agent}" for agent in group.agents]
        lines += [f"{'Allow' if allow else 'Disallow'}: {path}" for allow, path in group.rules]
        if group.crawl_delay is not None:
            lines.append(f"Crawl-delay: {group.crawl_delay:g}")
    return "\n".join(lines) + "\n"


def _groups_for(groups: Sequence[RulesGroup], agent: str) -> list[RulesGroup]:
    named = [g for g in groups if agent.lower() in (known.lower() for known in g.agents)]
    return named or [g for g in groups if "*" in g.agents]


def _rules_for(groups: Sequence[RulesGroup], agent: str) -> list[tuple[bool, str]]:
    return [rule for group in _groups_for(groups, agent) for rule in group.rules]


def is_allowed_by(rules: Sequence[tuple[bool, str]], target: str) -> bool:
    """The longest pattern that matches decides, and `Allow` wins a tie (RFC 9309, 2.2.2).

    >>> is_allowed_by([(False, "/a/"), (True, "/a/b")], "/a/b.html")
    True
    """
    matching = [(len(path), allow) for allow, path in rules if path and _matches(path, target)]
    return max(matching)[1] if matching else True


def _matches(pattern: str, target: str) -> bool:
    return _compiled(pattern).match(target) is not None


@lru_cache
def _compiled(pattern: str) -> re.Pattern[str]:
    is_anchored = pattern.endswith("$")
    pieces = [re.escape(piece) for piece in pattern.removesuffix("$").split("*")]
    return re.compile(".*".join(pieces) + ("$" if is_anchored else ""))
