"""The description of everything below /api/, made of the records themselves."""

from typing import Any

import msgspec
from msgspec import NODEFAULT

from gossamer.base.agent import VERSION
from gossamer.serve.subject import Asked, Subject

_PLACE = "#/components/schemas/{name}"
_REFUSED = {"description": "One line in `error`: what, where, what to do."}


def describe(subjects: tuple[Subject, ...], steering: dict[str, Any]) -> dict[str, Any]:
    """An OpenAPI 3.1 document."""
    answers = [one.answer for one in subjects]
    schemas, components = msgspec.json.schema_components(answers, ref_template=_PLACE)
    paths: dict[str, Any] = {
        f"/api{subject.path}": {"get": _reading(subject, schema)}
        for subject, schema in zip(subjects, schemas, strict=True)
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Gossamer", "version": VERSION},
        "paths": {**paths, **steering},
        "components": {
            "schemas": components,
            "securitySchemes": {"password": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"password": []}],
    }


def _reading(subject: Subject, schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "summary": subject.about,
        "operationId": f"get_{subject.path.strip('/').replace('/', '_') or 'overview'}",
        "parameters": [*_parameters(subject.asked)],
        "responses": {
            "200": {
                "description": subject.title,
                "content": {"application/json": {"schema": schema}},
            },
            "400": _REFUSED,
            "401": {"description": "The password is needed."},
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
