"""Host names: domains made of two words under the reserved `.test`, each with one to six hosts."""

from collections.abc import Iterator

from gossamer.lab.seeded_chance import draw_text
from gossamer.lab.vocabulary import DOMAIN_BEGINNINGS, DOMAIN_ENDINGS, HOST_PREFIXES

_PAIRS = len(DOMAIN_BEGINNINGS) * len(DOMAIN_ENDINGS)
_STEP = 7919  # a prime that does not divide the number of pairs: walks through all of them
assert _PAIRS % _STEP

# Half of the domains have one host, few have many.
_HOSTS_PER_DOMAIN = (1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 6)


def host_names(seed: int, count: int) -> list[str]:
    """`count` different host names, in an order that depends on the seed.

    >>> names = host_names(7, 1000)
    >>> len(set(names)), all(name.endswith(".test") for name in names)
    (1000, True)
    """
    names: list[str] = []
    domain = 0
    while len(names) < count:
        names.extend(_hosts_of(seed, domain))
        domain += 1
    del names[count:]
    names.sort(key=lambda name: draw_text(seed, name))
    return names


def domain_name(seed: int, number: int) -> str:
    """The name of the n-th domain; after the words run out, names get a number."""
    place = (seed * 31 + number * _STEP) % _PAIRS
    first, second = divmod(place, len(DOMAIN_ENDINGS))
    more = str(number // _PAIRS + 1) if number >= _PAIRS else ""
    return f"{DOMAIN_BEGINNINGS[first]}{DOMAIN_ENDINGS[second]}{more}.test"


def _hosts_of(seed: int, number: int) -> Iterator[str]:
    domain = domain_name(seed, number)
    chance = draw_text(seed, domain)
    count = _HOSTS_PER_DOMAIN[chance & 15]
    yield f"www.{domain}" if chance & 16 or count > 1 else domain
    others = HOST_PREFIXES[1:]
    for place in range(count - 1):
        yield f"{others[(chance // 32 + place) % len(others)]}.{domain}"
