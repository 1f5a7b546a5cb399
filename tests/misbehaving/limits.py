"""The limits under which the documented outcomes hold: small, so that a test takes seconds."""

from collections.abc import Iterator

from msgspec.structs import replace

from gossamer.core.settings import FetchSettings

LIMITS = FetchSettings(
    transfers=1000,
    connect_timeout=2.0,
    timeout=4.0,
    slow_bytes=64,
    slow_seconds=2.0,
    max_body=1 << 20,
    max_decoded=2 << 20,
    max_headers=64 << 10,
    allow_addresses=("127.0.77.0/24",),
)


def limits_to_try() -> Iterator[FetchSettings]:
    """These limits and, for a machine that is too busy for them, more time.

    Whoever tries takes the first with which nobody runs out of time who should not. Those who should are
    asked with the first: with more time, some of them say so much that they are cut off for that.
    """
    for factor in (1, 4, 16):
        yield replace(
            LIMITS,
            connect_timeout=factor * LIMITS.connect_timeout,
            timeout=factor * LIMITS.timeout,
            slow_seconds=factor * LIMITS.slow_seconds,
        )
