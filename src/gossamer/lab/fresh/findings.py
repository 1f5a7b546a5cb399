"""All that a page about freshness tells: the trials on each web, and how new pages are found."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from gossamer.lab.fresh.finding import NewPagesFound, find_new_pages
from gossamer.lab.fresh.trials import FreshQuestion, FreshTrial, try_policies
from gossamer.lab.fresh.webs import KnownWeb, living, recorded
from gossamer.lab.life import Histories, LivingWeb


class FreshSize(Struct, frozen=True):
    """How large the living web is, and for how long it lives."""

    seed: int = 7
    pages: int = 20_000
    hosts: int = 200
    days: float = 365.0


class WebFindings(Struct, frozen=True):
    """The trials on one web."""

    name: str
    pages: int
    days: float
    changes: int
    mean_rate: float
    trials: list[FreshTrial]


class FreshFindings(Struct, frozen=True):
    share: float
    """Visits per page and day."""
    warm: float
    """Days at the beginning that do not count."""
    webs: list[WebFindings]
    finding: list[NewPagesFound]


def find_out(
    size: FreshSize,
    question: FreshQuestion,
    histories: Histories | None,
    tell: Callable[[str], None],
) -> FreshFindings:
    """Try everything."""
    webs: list[KnownWeb] = [living(*_parts(size), size.days)]
    if histories is not None:
        webs.append(recorded(histories))
    return FreshFindings(
        question.share,
        question.warm,
        [_try(web, question, tell) for web in webs],
        find_new_pages(LivingWeb(*_parts(size)), question.share, size.days),
    )


def _parts(size: FreshSize) -> tuple[int, int, int]:
    return size.seed, size.pages, size.hosts


def _try(web: KnownWeb, question: FreshQuestion, tell: Callable[[str], None]) -> WebFindings:
    trials: Sequence[FreshTrial] = try_policies(web, question, tell)
    changes, mean = len(web.changes.times), float(web.rates.mean())
    return WebFindings(web.name, len(web), web.days, changes, mean, [*trials])
