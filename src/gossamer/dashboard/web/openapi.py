"""The description of all that programs ask for, made of the records themselves."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import NODEFAULT

from gossamer.core.agent import VERSION
from gossamer.dashboard.view_protocol import Asked, View

_PLACE = "#/components/schemas/{name}"
_REFUSED = {"description": "One line in `error`: what, where, what to do."}


def describe(
    views: tuple[View, ...], steering: dict[str, Any], said: Mapping[str, tuple[type, ...]]
) -> dict[str, Any]:
    """An OpenAPI 3.1 document. `said`: the records that answer each POST, by its path."""
    answers = [*(view.answer for view in views), *(one for some in said.values() for one in some)]
    schemas, components = msgspec.json.schema_components(answers, ref_template=_PLACE)
    paths: dict[str, Any] = {
        f"/api{view.path}": _named(view.path, {"get": _reading(view, schema)})
        for view, schema in zip(views, schemas[: len(views)], strict=True)
    }
    for path, methods in {**steering, **_others(views)}.items():
        paths[path] = {**paths.get(path, {}), **_named(path, methods)}
    records = iter(schemas[len(views) :])
    for path, kinds in said.items():
        responses = paths[path]["post"]["responses"]
        schema = {"anyOf": [next(records) for _ in kinds]}
        content = {"content": _json_of(schema)}
        post = {"responses": {**responses, "200": {**responses["200"], **content}}}
        paths[path]["post"] = {**paths[path]["post"], **post}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Gossamer", "version": VERSION},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": _SCHEMES,
        },
        "security": [{"key": []}, {"bearer": []}, {}],
    }


_SCHEMES = {
    "key": {"type": "apiKey", "in": "header", "name": "X-Gossamer-Key"},
    "bearer": {"type": "http", "scheme": "bearer", "description": "The key, or the password."},
}


def _named(path: str, methods: dict[str, Any]) -> dict[str, Any]:
    """Each with a name, by which programs that are made from the description call it."""
    name = path.removeprefix("/api").strip("/").replace("/", "_").replace(".", "_") or "overview"
    return {method: {"operationId": f"{method}_{name}", **said} for method, said in methods.items()}


def _others(views: tuple[View, ...]) -> dict[str, Any]:
    """Describe the paths besides the views."""
    live = [view.path for view in views if view.live]
    token = {"type": "object", "properties": {"token": {"type": "string"}}, "required": ["token"]}
    return {
        "/api/token": _other(
            "The token that a change by a client with a cookie must send, as `token` or X-Gossamer-Token.",
            "application/json",
            token,
        ),
        "/api/openapi.json": _other("This description.", "application/json", {"type": "object"}),
        "/events": _other(
            "Parts of pages whenever they change, as server-sent events; `of` may be given several times.",
            "text/event-stream",
            {"type": "string"},
            {"of": {"type": "string", "examples": [*live, "state"]}},
            {"as": {"type": "string", "enum": ["html", "json"], "default": "html"}},
        ),
        "/metrics": _other(
            "Figures for Prometheus.", "text/plain; version=0.0.4", {"type": "string"}
        ),
        "/healthz": _other("Health of the server; needs no key.", "text/plain", {"type": "string"}),
    }


def _other(
    summary: str,
    kind: str,
    schema: dict[str, Any],
    required: Mapping[str, Any] | None = None,
    optional: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    parameters = [
        {"name": name, "in": "query", "required": must, "schema": one}
        for must, query in ((True, required), (False, optional))
        for name, one in (query or {}).items()
    ]
    answers = {
        "200": {"description": summary, "content": {kind: {"schema": schema}}},
        "401": {"description": "The key is needed."},
    }
    return {"get": {"summary": summary, "parameters": parameters, "responses": answers}}


def _json_of(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _reading(view: View, schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "summary": view.about,
        "parameters": [*_parameters(view.asked)],
        "responses": {
            "200": {
                "description": view.title,
                "content": _json_of(schema),
            },
            "400": _REFUSED,
            "401": {"description": "The key is needed."},
            "404": _REFUSED,
        },
    }


def _parameters(kind: type[Asked]) -> list[dict[str, Any]]:
    """The fields of a query."""
    return [
        {
            "name": field.encode_name,
            "in": "query",
            "required": field.default is NODEFAULT and field.default_factory is NODEFAULT,
            "schema": msgspec.json.schema(field.type),
        }
        for field in msgspec.structs.fields(kind)
    ]
