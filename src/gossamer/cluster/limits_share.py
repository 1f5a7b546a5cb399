"""The share that each of several partitions has in the limits of the settings."""

from typing import Any

import msgspec

from gossamer.core.settings import Settings

_SHARED = {
    "fetch": {"transfers": 1, "max_transfers": 1},
    "frontier": {"memory": 16 << 20, "back_queues": 0},
    "seen": {"memory": 1 << 20},
    "content": {"memory": 1 << 20},
    "dns": {"cache_size": 2, "in_flight": 1},
    "robots": {"cached_origins": 1, "cached_bytes": 1 << 20},
    "budget": {"memory": 1 << 20, "seats": 1, "top": 1},
}
"""Knobs that are for the whole crawl, and the least that a partition has of each.

A partition ranks its own domains only. They are a random part of all, so that its n-th best is about the
(n times partitions)-th best of the crawl: with a part of `budget.top` budgets stay what they are.
"""


def share(settings: Settings, partitions: int) -> Settings:
    """The settings of one of these partitions.

    >>> share(Settings(), 4).fetch.transfers, share(Settings(), 4).politeness == Settings().politeness
    (250, True)
    """
    tree: dict[str, Any] = msgspec.to_builtins(settings)
    for section, knobs in _SHARED.items():
        for name, least in knobs.items():
            tree[section][name] = max(least, -(-tree[section][name] // partitions))
    return msgspec.convert(tree, Settings)
