"""The scenario of a simulation: the size of the web, and the rates of faults."""

from random import Random

from msgspec import Struct
from msgspec.structs import replace

from gossamer.core.errors import SettingsError
from gossamer.lab.simulator.simulated_connections import Mishaps

_FRIENDLY = ("redirects", "errors", "duplicates", "gzip", "chunked")
_UNFRIENDLY = ("wrong_length", "cut_short", "bad_chunks", "slow", "unresolvable")


class Scenario(Struct, frozen=True):
    """All that a seed does not decide."""

    about: str = ""
    pages: int = 120
    hosts: int = 10
    addresses: int = 4
    partitions: int = 1
    behaviours: tuple[str, ...] = _FRIENDLY
    """Beside robots.txt files of all kinds."""
    delay: float = 1.0
    """Seconds between two requests to a host."""
    per_address: int = 4
    """Connections to an address at a time."""
    pace: float = 0.1
    """Seconds that a process may have to wait for a processor."""
    limit: int = 0
    """Pages at which the crawl stops, before it goes on to its end."""
    stored: int = 0
    """Pages that the archive may keep; 0 for all."""
    days: float = 0.0
    """Days after which each page is visited again; 0 for never …"""
    rounds: int = 0
    """… and how often, before the crawl stops."""
    kills: int = 0
    """Processes that are killed, each at an operation of its disk."""
    power_cuts: int = 0
    """Times that all processes die at once, and what was not synced is lost or torn."""
    full_disks: int = 0
    failed_reads: int = 0
    moves: int = 0
    """Times that a partition ends cleanly and begins again, as if on another machine; at most."""
    freezes: int = 0
    """Times that a partition is stopped for a while."""
    clock_jumps: int = 0
    """Times that the clock is set."""
    slowness: float = 0.0
    """Seconds that the disk may take for an operation."""
    troubles: int = 0
    """Hosts that do not answer, break connections, move or lie for a while."""
    orders: int = 0
    """Orders that people give the crawl, at least."""
    mishaps: Mishaps = Mishaps()


SCENARIOS: dict[str, Scenario] = {
    "calm": Scenario("nothing"),
    "kills": Scenario("processes are killed, each at a write or a deletion", kills=6, partitions=2),
    "power": Scenario(
        "all processes die at once, and what was not synced is lost or torn, names of files included",
        power_cuts=4,
        kills=1,
    ),
    "disk": Scenario(
        "the disk is full for a while, slow, and cannot read",
        full_disks=2,
        failed_reads=3,
        slowness=2.0,
        kills=1,
    ),
    "hosts": Scenario(
        "hosts refuse, hang, break connections, lie, move or have no address for a while",
        troubles=10,
        behaviours=_FRIENDLY + _UNFRIENDLY,
    ),
    "exchange": Scenario(
        "batches between partitions and their acknowledgements are lost, doubled, late or out of order; "
        "partitions move",
        partitions=3,
        moves=3,
        mishaps=Mishaps(lost=0.1, doubled=0.1, late=0.2),
    ),
    "clocks": Scenario(
        "the clock is set forwards by hours and backwards by minutes, and processes are killed",
        clock_jumps=4,
        kills=4,
    ),
    "limit": Scenario(
        "the crawl stops at `max_pages` and goes on later; processes are killed", limit=40, kills=2
    ),
    "storm": Scenario(
        "all of these together; partitions are also stopped for a while",
        partitions=3,
        moves=2,
        kills=4,
        power_cuts=2,
        full_disks=1,
        failed_reads=1,
        freezes=1,
        clock_jumps=1,
        slowness=1.0,
        troubles=6,
        behaviours=_FRIENDLY + _UNFRIENDLY,
        mishaps=Mishaps(lost=0.05, doubled=0.05, late=0.1),
    ),
    "retirement": Scenario(
        "the archive keeps a few pages only, the best; processes die, and the disk fails",
        stored=4,
        kills=6,
        power_cuts=4,
        full_disks=1,
        failed_reads=1,
    ),
    "orders": Scenario(
        "people pause the crawl, block and slow down hosts, and add seeds; processes and partitions die",
        orders=12,
        kills=5,
        power_cuts=2,
        moves=1,
    ),
    "continuous": Scenario(
        "all pages are visited again and again; processes die, and the disk fails",
        days=0.02,
        rounds=3,
        kills=6,
        power_cuts=3,
        full_disks=1,
        failed_reads=1,
    ),
}

POLITE = Scenario(
    "nothing: 500 hosts are asked once a minute each, to see how fast time goes by",
    pages=5_000,
    hosts=500,
    addresses=250,
    delay=60.0,
    pace=0.0,
)
"""For one figure, so it is not drawn."""


_COMMANDS_EVERY = 23
"""One in this many seeds is about orders."""


def find_scenario(name: str) -> Scenario:
    known = {**SCENARIOS, "polite": POLITE}
    if name not in known:
        raise SettingsError(f"there is no scenario {name!r}; choose from: {', '.join(known)}")
    return known[name]


def draw_scenario(seed: int) -> tuple[str, Scenario]:
    """A scenario for a seed: they take turns, with sizes and partitions drawn by lot."""
    chance = Random(f"scenario {seed}")
    others = [
        name for name in SCENARIOS if name != "orders"
    ]  # so that known seeds stay what they are
    name = "orders" if seed % _COMMANDS_EVERY == 1 else others[seed % len(others)]
    scenario = SCENARIOS[name]
    fewest = min(2, scenario.partitions)
    pages = chance.randrange(30, 150)
    if scenario.days:  # each of them is fetched several times
        pages //= 4
    return name, replace(
        scenario,
        pages=pages,
        hosts=min(chance.randrange(3, 16), pages),
        addresses=chance.randrange(1, 8),
        partitions=chance.choice([scenario.partitions, *range(fewest, 4)]),
        per_address=chance.choice([1, 4]),
        pace=chance.choice([0.0, 0.1, 0.3]),
        limit=chance.randrange(1, pages) if scenario.limit else 0,
        stored=chance.randrange(1, 8) if scenario.stored else 0,
    )
