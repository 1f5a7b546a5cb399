"""All that a page about freshness tells: the trials on each web."""

import time
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gossamer.lab.freshness.freshness_trials import FreshQuestion, FreshTrial, try_policies
from gossamer.lab.freshness.freshness_webs import KnownWeb, living, recorded
from gossamer.lab.living_web import Histories

_SCARCE = 10
"""Real pages change so rarely that policies do the same; so they also get one of this many visits."""


class FreshSize(Struct, frozen=True):
    """The size of the living web, and the length of its history."""

    seed: int = 7
    pages: int = 20_000
    hosts: int = 200
    days: float = 365.0


class WebFindings(Struct, frozen=True):
    """The trials on one web."""

    name: str
    pages: int
    days: float
    share: float
    """Visits per page and day."""
    changes: int
    mean_rate: float
    trials: list[FreshTrial]


class FreshFindings(Struct, frozen=True):
    warm: float
    """Days at the beginning that do not count."""
    seconds: float
    """Of a processor."""
    webs: list[WebFindings]


def find_out(
    size: FreshSize,
    question: FreshQuestion,
    histories: Histories | None,
    tell: Callable[[str], None],
) -> FreshFindings:
    """Try everything."""
    began = time.process_time()
    webs = [_try(living(size.seed, size.pages, size.hosts, size.days), question, tell)]
    if histories is not None:
        real, scarce = recorded(histories), replace(question, share=question.share / _SCARCE)
        webs += [_try(real, fresh_question, tell) for fresh_question in (question, scarce)]
    return FreshFindings(question.warm, time.process_time() - began, webs)


def _try(web: KnownWeb, question: FreshQuestion, tell: Callable[[str], None]) -> WebFindings:
    trials: Sequence[FreshTrial] = try_policies(web, question, tell)
    changes, mean = len(web.changes.times), float(web.rates.mean())
    return WebFindings(web.name, len(web), web.days, question.share, changes, mean, [*trials])
