"""What happens in a simulation: the size of the web, and how often what goes wrong."""

from random import Random

from msgspec import Struct
from msgspec.structs import replace

from gossamer.base.errors import SettingsError
from gossamer.lab.simulator.lines import Mishaps


class Scenario(Struct, frozen=True):
    """All that a seed does not decide."""

    pages: int = 200
    hosts: int = 10
    addresses: int = 4
    partitions: int = 1
    behaviours: tuple[str, ...] = ("redirects", "errors", "duplicates", "gzip", "chunked")
    """Beside robots.txt files of all kinds."""
    kills: int = 0
    """Processes that are killed, each at an operation of its disk."""
    power_cuts: int = 0
    """Times that all processes die at once, and what was not synced is lost or torn."""
    full_disks: int = 0
    freezes: int = 0
    """Times that a partition is stopped for a while."""
    slowness: float = 0.0
    """Seconds that the disk may take for an operation."""
    troubles: int = 0
    """Hosts that do not answer, break connections or have no address for a while."""
    mishaps: Mishaps = Mishaps()


SCENARIOS: dict[str, Scenario] = {
    "calm": Scenario(),
    "kills": Scenario(kills=6, partitions=2),
    "power": Scenario(power_cuts=4, kills=1),
    "disk": Scenario(full_disks=3, slowness=2.0, kills=1),
    "hosts": Scenario(troubles=8),
    "exchange": Scenario(partitions=3, mishaps=Mishaps(lost=0.1, doubled=0.1, late=0.2)),
    "storm": Scenario(
        partitions=3,
        kills=4,
        power_cuts=2,
        full_disks=1,
        freezes=1,
        slowness=1.0,
        troubles=5,
        mishaps=Mishaps(lost=0.05, doubled=0.05, late=0.1),
    ),
}


def find_scenario(name: str) -> Scenario:
    if name not in SCENARIOS:
        raise SettingsError(f"there is no scenario {name!r}; choose from: {', '.join(SCENARIOS)}")
    return SCENARIOS[name]


def draw_scenario(seed: int) -> tuple[str, Scenario]:
    """A scenario for a seed: they take turns, with sizes and partitions drawn by lot."""
    chance = Random(f"scenario {seed}")
    name = list(SCENARIOS)[seed % len(SCENARIOS)]
    scenario = SCENARIOS[name]
    fewest = min(2, scenario.partitions)
    return name, replace(
        scenario,
        pages=chance.randrange(60, 400),
        hosts=chance.randrange(3, 24),
        addresses=chance.randrange(1, 8),
        partitions=chance.choice([scenario.partitions, *range(fewest, 4)]),
    )
