"""Conditional requests: is what the client has still good (RFC 9110, 13)?"""

from collections.abc import Iterable
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from gossamer.lab.url_answer import PageValidators


class Conditions(NamedTuple):
    """The conditions of a request (If-None-Match, If-Modified-Since); empty without them."""

    none_match: str = ""
    modified_since: str = ""


UNCONDITIONAL = Conditions()


def read_conditions(lines: Iterable[str]) -> Conditions:
    """The conditions among header lines.

    >>> read_conditions(['Accept: */*', 'If-None-Match: "7"']).none_match
    '"7"'
    """
    fields = {
        name.strip().lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)
    }
    return Conditions(fields.get("if-none-match", ""), fields.get("if-modified-since", ""))


def is_still_good(conditions: Conditions, validators: PageValidators) -> bool:
    """May the answer be 304? A tag counts before a date; tags are compared weakly (13.1.2).

    >>> is_still_good(Conditions('"6", W/"7"'), PageValidators('"7"', 0.0, True))
    True
    """
    if not validators.is_heeded:
        return False
    if conditions.none_match:
        tags = [tag.strip().removeprefix("W/") for tag in conditions.none_match.split(",")]
        return tags == ["*"] or validators.tag.removeprefix("W/") in tags
    return validators.modified <= _seconds(conditions.modified_since)


def _seconds(date: str) -> float:
    """Seconds since 1970; long ago for what is no date, which has to be ignored."""
    try:
        return parsedate_to_datetime(date).timestamp() if date else float("-inf")
    except ValueError:
        return float("-inf")
