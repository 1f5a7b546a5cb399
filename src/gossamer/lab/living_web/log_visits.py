"""From the log of a server to visits of pages."""

from collections.abc import Iterable

from gossamer.lab.living_web.day_clock import WebClock
from gossamer.lab.living_web.living_web import LivingWeb
from gossamer.lab.living_web.page_visits import Visits, visits_of
from gossamer.lab.server.request_log import LoggedRequest

_TELLING = frozenset({200, 304, 404, 410})
"""Statuses from which a crawler learns how a page is, or that it is not."""


def visits_in(log: Iterable[LoggedRequest], web: LivingWeb, clock: WebClock) -> Visits:
    """The visits of living pages among requests; what failed or was sent elsewhere is none.

    `clock` is the web's; it goes by the same seconds as the log.
    """
    found = [
        (page, clock.days_at(request.start))
        for request in log
        if request.status in _TELLING and (page := _page_of(request, web)) >= 0
    ]
    return visits_of(len(web.evolution), [page for page, _ in found], [day for _, day in found])


def _page_of(request: LoggedRequest, web: LivingWeb) -> int:
    site = web.site_named(request.host)
    return web.number_at(site, request.path) if 0 <= site < web.hosts else -1
