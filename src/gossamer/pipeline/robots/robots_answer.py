"""Interpret one exchange about a robots.txt (RFC 9309, section 2.3.1)."""

from enum import Enum, auto

from gossamer.core.outcomes import Outcome, Truncation
from gossamer.core.records import Page
from gossamer.pipeline.robots.robots_lines import LIMIT


class RobotsAnswer(Enum):
    """The answer of a server to the request for robots.txt."""

    RULES = auto()
    """2xx: the body holds the rules."""
    REDIRECT = auto()
    UNCHANGED = auto()
    """304: what we have is still right."""
    UNAVAILABLE = auto()
    """4xx: there is no robots.txt, everything is allowed."""
    UNREACHABLE = auto()
    """The server failed: nothing is allowed until it is heard again."""


_SUCCESS, _REDIRECTION, _CLIENT_ERROR = 2, 3, 4
_NOT_MODIFIED = 304
_TOO_MANY_REQUESTS = 429


def answer_of(page: Page) -> RobotsAnswer:
    """Read the outcome, the status and the cut of one exchange.

    429 counts as a failure, as Google has it: who asks us to slow down has not said that he has
    no rules. A body that broke off early or cannot be decoded counts as one too, because the
    missing lines might forbid something, unless all that we ever read of it is there. A redirect
    that leads nowhere is no robots.txt. Statuses outside RFC 9110 are failures.
    """
    if page.outcome is not Outcome.FETCHED:
        return RobotsAnswer.UNREACHABLE
    kind = page.status // 100
    if kind == _SUCCESS:
        return RobotsAnswer.RULES if _has_all_we_read(page) else RobotsAnswer.UNREACHABLE
    if kind == _REDIRECTION:
        return RobotsAnswer.UNCHANGED if page.status == _NOT_MODIFIED else RobotsAnswer.REDIRECT
    if kind == _CLIENT_ERROR and page.status != _TOO_MANY_REQUESTS:
        return RobotsAnswer.UNAVAILABLE
    return RobotsAnswer.UNREACHABLE


def _has_all_we_read(page: Page) -> bool:
    if len(page.body) >= LIMIT:
        return True
    return page.truncated in (Truncation.NONE, Truncation.LENGTH) and not page.is_damaged


def trouble_of(page: Page) -> str:
    """The failure, in a word; empty for a useful answer.

    An outcome, a status, or what the body of a good answer lacks.
    """
    if answer_of(page) is not RobotsAnswer.UNREACHABLE:
        return ""
    if page.outcome is not Outcome.FETCHED:
        return page.outcome.value
    if page.status // 100 != _SUCCESS:
        return str(page.status)
    return f"truncated_{page.truncated}" if page.truncated else "undecodable"
