"""The description of the API has every route for programs, and no other."""

from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute, Route

from gossamer.dashboard.access.host_header import Names
from gossamer.dashboard.access.session_store import SessionStore
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.web.event_stream import LiveFeed
from gossamer.dashboard.web.request_gate import RequestGate
from gossamer.dashboard.web.routes import DashboardRoutes
from tests.dashboard.faces import shown

_FOR_PROGRAMS = ("/api/", "/events", "/metrics", "/healthz")
_READING = {"GET", "HEAD"}


def _routes(crawl: Path) -> set[tuple[str, str]]:
    """Paths and methods of all that is answered, but for pages of the browser."""
    request_gate = RequestGate(Names("127.0.0.1", []), SessionStore(is_open=True))
    routes: list[BaseRoute] = DashboardRoutes(ShownCrawl(crawl), request_gate, LiveFeed()).routes()
    return {
        (route.path, method.lower())
        for route in routes
        if isinstance(route, Route) and route.path.startswith(_FOR_PROGRAMS)
        for method in (route.methods or _READING) - {"HEAD"}
    }


def _described(crawl: Path) -> dict[str, Any]:
    with shown(crawl) as visitor:
        found: dict[str, Any] = visitor.get("/api/openapi.json").json
    return found


def test_every_route_is_described(finished_crawl: Path) -> None:
    paths = _described(finished_crawl)["paths"]
    assert {(path, method) for path, methods in paths.items() for method in methods} == _routes(
        finished_crawl
    )


def test_what_is_described_is_answered_as_described(finished_crawl: Path) -> None:
    described = _described(finished_crawl)
    names = [one["operationId"] for path in described["paths"].values() for one in path.values()]
    assert len(set(names)) == len(names)
    with shown(finished_crawl) as visitor:
        for path, methods in described["paths"].items():
            if "get" not in methods or path == "/events":
                continue
            answer = visitor.get(path)
            kinds = [*methods["get"]["responses"]["200"]["content"]]
            assert answer.status in (200, 400, 404, 409), path
            if answer.status == 200:
                assert answer.headers["content-type"].startswith(kinds[0].partition(";")[0]), path


def test_every_reference_of_the_description_leads_somewhere(finished_crawl: Path) -> None:
    described = _described(finished_crawl)
    known = described["components"]["schemas"]
    wanted = [one for one in _strings(described) if one.startswith("#/components/schemas/")]
    assert wanted
    assert {one.rpartition("/")[2] for one in wanted} <= set(known)


def _strings(found: Any) -> list[str]:
    if isinstance(found, dict):
        return [text for one in found.values() for text in _strings(one)]
    if isinstance(found, list):
        return [text for one in found for text in _strings(one)]
    return [found] if isinstance(found, str) else []
