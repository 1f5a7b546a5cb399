"""May a URL be fetched, and why."""

from enum import StrEnum

from msgspec import Struct

from gossamer.pipeline.robots.origin_cache import OriginEntry


class Verdict(StrEnum):
    """May a URL be fetched?"""

    ALLOWED = "allowed"
    DISALLOWED = "disallowed"
    UNKNOWN = "unknown"
    """Its origin's robots.txt has to be asked for first."""
    UNREACHABLE = "unreachable"
    """Its origin's robots.txt could not be had: nothing may be fetched for now."""


class Explanation(Struct, frozen=True):
    """The reason why a URL may or may not be fetched."""

    verdict: Verdict
    reason: str
    rule: str = ""
    """The rule that decides, if one does."""
    line: int = 0
    """Its line in the robots.txt."""
    agent: str = ""
    """The group that was followed: our name, `*`, or empty for none."""
    until: float = 0.0
    """When robots.txt will be asked for again."""


def explain(verdict: Verdict, entry: OriginEntry | None, path: str) -> Explanation:
    """Say what led to a verdict about a path of the entry's origin."""
    if entry is None:
        return Explanation(verdict, "robots.txt has not been asked for yet")
    if verdict is Verdict.UNKNOWN:
        return Explanation(verdict, "robots.txt has to be asked for again", until=entry.expires)
    if entry.rules is None:
        return Explanation(verdict, _failure(entry), until=entry.expires)
    agent, rule = entry.known.agent, entry.rules.deciding(path)
    if rule is None:
        return Explanation(verdict, _freedom(entry, path), agent=agent, until=entry.expires)
    reason = f"the longest rule for {agent} that matches"
    return Explanation(verdict, reason, str(rule), rule.line, agent, entry.expires)


def _failure(entry: OriginEntry) -> str:
    status = entry.known.status
    trouble = f" ({entry.known.trouble})" if entry.known.trouble else ""
    if not status:
        what = f"could not be fetched{trouble}"
    elif 200 <= status < 300:
        what = f"could not be read{trouble}"
    else:
        what = f"answered with status {status}"
    return f"robots.txt {what}: nothing is allowed until it can be read"


def _freedom(entry: OriginEntry, path: str) -> str:
    if path == "/robots.txt":
        return "robots.txt itself is always allowed"
    if entry.known.is_copy:
        return "no rule matches"
    if entry.known.failures:
        return "robots.txt has failed for so long that it counts as missing"
    return f"there is no robots.txt (status {entry.known.status})"
