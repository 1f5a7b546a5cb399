"""One extension of each kind. What leaves no trace in a crawl's tables is noted in the file SAMPLER_LOG."""

import os
import re
from collections.abc import Callable
from typing import NoReturn

import numpy as np
import numpy.typing as npt

import gossamer
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Headers, Visit
from gossamer.core.settings import BudgetSettings
from gossamer.core.url import base, join
from gossamer.policy.budget.budget_functions import DomainStanding
from gossamer.policy.order import Policy, Scores, Waiting
from gossamer.policy.revisit import Population


def fetch(visit: Visit, now: float) -> gossamer.Page:
    """`sample://HOST/WORDS` is a page with these words."""
    body = visit.url.path.encode()
    headers = Headers([("Content-Type", "application/x-sample")])
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-sample\r\n\r\n"
    return gossamer.Page(
        visit, Outcome.FETCHED, now, status=200, headers=headers, head=head, payload=body, body=body
    )


def fetch_nothing(visit: Visit, now: float) -> NoReturn:
    """A fetcher that always fails."""
    raise OSError("the queue store is empty")


def read_html(page: gossamer.Page) -> gossamer.Document:
    """The links of each page, found in a simple way."""
    here = base(page.url)
    assert here is not None, "a page has a URL"
    found = [text.decode() for text in re.findall(rb'<a href="([^"]+)"', page.body)]
    targets = [join(here, one) for one in found]
    links = tuple(gossamer.Link(page.url, target) for target in targets if target is not None)
    return gossamer.Document(page, media_type="text/html", title="read in the crawl", links=links)


def read_sample(page: gossamer.Page) -> gossamer.Document:
    """Its process is another one than the crawl's."""
    return gossamer.Document(
        page, media_type="application/x-sample", title=f"read by {os.getpid()}"
    )


def drop_sampled(path: str, query: str) -> tuple[str, str]:
    """A rule for URLs: `sampled=yes` means nothing."""
    return path, "" if query == "sampled=yes" else query


class Shallow(Policy):
    """An order with an option: few links from a seed come first."""

    def __init__(self, weight: float = 1.0) -> None:
        self._weight = weight

    def score(self, waiting: Waiting) -> Scores:
        _note(f"order {self._weight:g}")
        return -self._weight * waiting.depths.astype(float)


class Hopeless(Policy):
    """An order that always fails."""

    def score(self, waiting: Waiting) -> Scores:
        raise ValueError("no idea")


def threefold(settings: BudgetSettings) -> Callable[[DomainStanding], int]:
    """A budget function: three times the lowest, for all."""

    def budget(standing: DomainStanding) -> int:
        _note(f"budget {3 * settings.lowest}")
        return 3 * settings.lowest

    return budget


class Weighty:
    """A revisit policy with an option: visits by weight alone."""

    def __init__(self, power: float = 1.0) -> None:
        self._power = power

    def visits(self, price: float, pages: Population) -> npt.NDArray[np.float64]:
        shares: npt.NDArray[np.float64] = pages.weights**self._power / price
        return shares


class Clueless:
    """A revisit policy that always fails."""

    def visits(self, price: float, pages: Population) -> NoReturn:
        raise ValueError("no plan")


def _note(line: str) -> None:
    with open(os.environ["SAMPLER_LOG"], "a", encoding="utf-8") as log:
        log.write(f"{os.getpid()} {line}\n")
