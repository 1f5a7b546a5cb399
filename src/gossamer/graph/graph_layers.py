"""Times as people write them: a year, a month, a day or a minute, each up to its end."""

from datetime import UTC, datetime, timedelta

from gossamer.core.errors import SettingsError

_FORMATS = ("%Y", "%Y-%m", "%Y-%m-%d", "%Y-%m-%dT%H:%M")
_LONGEST = (366, 31, 1, 1 / 1440)
"""Days that a year, a month, a day and a minute have at most."""


def end_of(text: str) -> int:
    """The last microsecond of a time, since 1970 in UTC.

    >>> datetime.fromtimestamp(end_of("2026-03") // 1_000_000, UTC).isoformat()
    '2026-03-31T23:59:59+00:00'
    """
    for pattern, days in zip(_FORMATS, _LONGEST, strict=True):
        try:
            begin = datetime.strptime(text, pattern)
            behind = datetime.strptime((begin + timedelta(days)).strftime(pattern), pattern)
        except (ValueError, OverflowError):
            continue
        if begin.strftime(pattern) == text:
            return int(behind.replace(tzinfo=UTC).timestamp()) * 1_000_000 - 1
    raise SettingsError(f"{text!r} is not a time; write e.g. 2026-03 or 2026-03-14")
