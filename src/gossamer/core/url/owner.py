"""The partition that owns a host."""

from functools import lru_cache

import xxhash

from gossamer.core.url.domain import pay_level_domain


@lru_cache(maxsize=1 << 16)
def owner_of(host: str, partitions: int) -> int:
    """The number of the partition that asks this host; the same on every machine, for ever.

    All hosts of a pay-level domain have one owner, so that a domain's budget is kept in one place.

    >>> owner_of("www.example.org", 16) == owner_of("example.org", 16)
    True
    >>> sorted({owner_of(f"{number}.test", 4) for number in range(100)})
    [0, 1, 2, 3]
    """
    return spread(xxhash.xxh3_64_intdigest(pay_level_domain(host).encode()), partitions)


def spread(number: int, partitions: int) -> int:
    """The partition of a 64-bit number that is as good as random.

    >>> [spread(number << 62, 2) for number in range(4)]
    [0, 0, 1, 1]
    """
    return (number * partitions) >> 64
