"""`--set section.name=value`."""

import tomllib
from typing import Any

from gossamer.core.errors import SettingsError


def read_knobs(knobs: list[str]) -> dict[str, Any]:
    """Settings given as section.name=value, the value as in TOML; quotes may be left out."""
    changes: dict[str, Any] = {}
    for knob in knobs:
        name, equals, value = knob.partition("=")
        if not equals or "." not in name:
            raise SettingsError(f"--set {knob!r}: write section.name=value, e.g. fetch.timeout=30")
        try:
            changes[name.strip()] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            changes[name.strip()] = value
    return changes
