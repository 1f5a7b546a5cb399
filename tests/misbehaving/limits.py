"""The limits under which the documented outcomes hold: small, so that a test takes seconds."""

from gossamer.base.settings import FetchSettings

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
