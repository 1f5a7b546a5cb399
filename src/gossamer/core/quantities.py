"""Durations and sizes as people write and read them."""

import re

from gossamer.core.errors import SettingsError

_UNITS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def parse_duration(text: str) -> float:
    """Seconds of a duration.

    >>> parse_duration("10m"), parse_duration("1h30m"), parse_duration("90")
    (600.0, 5400.0, 90.0)
    """
    parts = re.findall(r"(\d+(?:\.\d+)?)(ms|[smhd]?)", text.strip())
    if not parts or "".join(number + unit for number, unit in parts) != text.strip():
        raise SettingsError(f"{text!r} is not a duration; write e.g. 90s, 10m, 1h30m or 2d")
    return sum(float(number) * _UNITS[unit] for number, unit in parts)


def write_duration(seconds: float) -> str:
    """A duration for people to read.

    >>> write_duration(5400.2), write_duration(75), write_duration(3.21)
    ('1h30m', '1m15s', '3.2s')
    """
    if seconds < 60:
        return f"{seconds:.1f}s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes:02d}m" if hours else f"{minutes}m{rest:02d}s"


def write_bytes(count: float) -> str:
    """A number of bytes for people to read.

    >>> write_bytes(0), write_bytes(1500), write_bytes(3.2e9)
    ('0 B', '1.5 kB', '3.2 GB')
    """
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"
