"""From the log of a server to visits of pages."""

from collections.abc import Iterable

from gossamer.lab.life.clock import LifeClock
from gossamer.lab.life.visits import Visits, visits_of
from gossamer.lab.life.web import LivingWeb
from gossamer.lab.server.log import Request

_TELLING = frozenset({200, 304, 404, 410})
"""Statuses from which a crawler learns how a page is, or that it is not."""


def visits_in(log: Iterable[Request], web: LivingWeb, clock: LifeClock) -> Visits:
    """The visits of living pages among requests; what failed or was sent elsewhere is none.

    `clock` is the web's; it goes by the same seconds as the log.
    """
    found = [
        (page, clock.days_at(request.start))
        for request in log
        if request.status in _TELLING and (page := _page_of(request, web)) >= 0
    ]
    return visits_of(len(web.life), [page for page, _ in found], [day for _, day in found])


def _page_of(request: Request, web: LivingWeb) -> int:
    site = web.site_named(request.host)
    return web.number_at(site, request.path) if 0 <= site < web.hosts else -1
