"""The description of the API has every route for programs, and no other."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.routing import BaseRoute, Route

from gossamer.dashboard.access.host_header import Names
from gossamer.dashboard.access.session_store import SessionStore
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.views import VIEWS
from gossamer.dashboard.web.event_stream import LiveFeed
from gossamer.dashboard.web.request_gate import RequestGate
from gossamer.dashboard.web.routes import DashboardRoutes
from tests.dashboard.faces import shown
from tests.dashboard.test_live_updates import events

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
    """Also by the schemas: of finished crawls, and of forms that are filled."""
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
            if answer.status == 200 and kinds == ["application/json"]:
                schema = methods["get"]["responses"]["200"]["content"][kinds[0]]["schema"]
                assert [*_misfits(answer.json, schema, described, path)] == []


def test_answers_to_commands_are_described(finished_copy: Path) -> None:
    described = _described(finished_copy)
    asked: dict[str, list[dict[str, str]]] = {
        "/api/control": [{"order": "block a.test", "dry_run": "1"}, {"order": "block a.test"}],
        "/api/control/job": [{"job": "graph"}],
    }
    posts = {path: one["post"] for path, one in described["paths"].items() if "post" in one}
    assert posts.keys() == asked.keys()
    with shown(finished_copy) as visitor:
        for path, forms in asked.items():
            [(_, said)] = posts[path]["responses"]["200"]["content"].items()
            sent = posts[path]["requestBody"]["content"]["application/json"]["schema"]
            for form in forms:
                fields = {"token": visitor.token(), **form}
                assert fields.keys() <= sent["properties"].keys()
                answer = visitor.post(path, fields)
                assert answer.status == 200
                assert [*_misfits(answer.json, said["schema"], described, path)] == []


def test_parameters_are_those_that_count(finished_crawl: Path) -> None:
    """Of views they come from the records that read them; the event stream has its own."""
    described = _described(finished_crawl)["paths"]
    for view in VIEWS:
        named = {one["name"] for one in described[f"/api{view.path}"]["get"]["parameters"]}
        assert named == {*view.asked.__struct_encode_fields__}
    of, how = described["/events"]["get"]["parameters"]
    assert (of["name"], of["required"], how["name"], how["required"]) == ("of", True, "as", False)
    with shown(finished_crawl) as visitor:
        for name in of["schema"]["examples"]:
            for kind in how["schema"]["enum"]:
                told = dict(events(visitor, f"/events?of={quote(name)}&as={kind}", 2))
                assert told[name].startswith("{" if kind == "json" else ("<", "\n", "{#")), name


def test_every_reference_of_the_description_leads_somewhere(finished_crawl: Path) -> None:
    described = _described(finished_crawl)
    known = described["components"]["schemas"]
    wanted = [one for one in _strings(described) if one.startswith("#/components/schemas/")]
    assert wanted
    assert {one.rpartition("/")[2] for one in wanted} <= set(known)


def _misfits(found: Any, schema: Any, described: dict[str, Any], at: str) -> Iterator[str]:
    """The places at which a value is not as its schema says; as much of JSON Schema as is used here."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield from _misfits(found, described["components"]["schemas"][name], described, at)
    if "anyOf" in schema and all([*_misfits(found, one, described, at)] for one in schema["anyOf"]):
        yield f"{at}: none of {len(schema['anyOf'])}"
    if "type" in schema and not isinstance(found, _TYPES[schema["type"]]):
        yield f"{at}: no {schema['type']}"
        return
    if "enum" in schema and found not in schema["enum"]:
        yield f"{at}: not among {schema['enum']}"
    if isinstance(found, dict):
        known, more = schema.get("properties", {}), schema.get("additionalProperties", {})
        yield from (f"{at}: {name} is missing" for name in {*schema.get("required", [])} - {*found})
        if known and not more and (strange := found.keys() - known.keys()):
            yield f"{at}: {strange} is not described"
        for name, value in found.items():
            one = known.get(name, more)
            yield from (
                _misfits(value, one, described, f"{at}.{name}") if isinstance(one, dict) else ()
            )
    if isinstance(found, list):
        first = schema.get("prefixItems", [])
        rest = schema.get("items", {})
        for number, value in enumerate(found):
            one = first[number] if number < len(first) else rest
            yield from _misfits(value, one, described, f"{at}[{number}]") if one else ()


_TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def _strings(found: Any) -> list[str]:
    if isinstance(found, dict):
        return [text for one in found.values() for text in _strings(one)]
    if isinstance(found, list):
        return [text for one in found for text in _strings(one)]
    return [found] if isinstance(found, str) else []
