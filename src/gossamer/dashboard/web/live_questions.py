"""Parse the query of a URL, or the fields of a form, into a typed record."""

import asyncio
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request

from gossamer.core.errors import GossamerError
from gossamer.dashboard.view_protocol import Asked

MOST_BODY = 1 << 20
"""Bytes of a form."""
_MOST_FIELDS = 1000
_SLOWEST = 30.0
"""Seconds for a form to come in."""


class AskedWronglyError(GossamerError):
    """A query or a form that cannot be understood; the dashboard answers 400 with this line."""


def read_query(request: Request, kind: type[Asked]) -> Asked:
    """The query as a record of this kind."""
    return convert(dict(request.query_params), kind)


def convert(fields: dict[str, str], kind: type[Asked]) -> Asked:
    """
    >>> class Wanted(Asked, frozen=True):
    ...     page: int = 1
    >>> convert({"page": "7"}, Wanted)
    Wanted(page=7)
    >>> convert({"page": "many"}, Wanted)
    Traceback (most recent call last):
    gossamer.dashboard.web.live_questions.AskedWronglyError: page: expected `int`, got `str`
    """
    given = {name: value for name, value in fields.items() if value != ""}
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise AskedWronglyError(_say(str(error))) from None


def _say(what: str) -> str:
    """The words of msgspec, with the field first."""
    said, _, place = what.partition(" - at `$.")
    name = place.rstrip("`")
    said = said[:1].lower() + said[1:]
    return f"{name}: {said}" if name else said


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form, or of a JSON object; of a field that comes twice, the last."""
    try:
        async with asyncio.timeout(_SLOWEST):
            body = await request.body()
    except TimeoutError:
        raise AskedWronglyError("the form did not come in time; send it again") from None
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        if kind == "application/json":
            return msgspec.json.decode(body, type=dict[str, str])
        if kind == "application/x-www-form-urlencoded":
            pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
            return dict(pairs)
    except (msgspec.MsgspecError, ValueError):
        raise AskedWronglyError("the fields of the form cannot be read") from None
    raise AskedWronglyError(
        "send application/x-www-form-urlencoded or application/json, an object of strings"
    )
