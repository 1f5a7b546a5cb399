"""The simulator notices when a promise is broken: faults put in on purpose are found.

GOSSAMER_MUTATIONS=all tries every one of them (`make soak`); else those that a seed or two shows.
"""

import os

import pytest

from gossamer.lab.simulator.season import play_all
from tests.lab.simulator.mutations import MUTATIONS

MOST_SEEDS = 40
QUICK = ("robots.txt ignored", "hosts not rested", "URLs released twice")
NAMES = list(MUTATIONS) if os.environ.get("GOSSAMER_MUTATIONS") == "all" else QUICK


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", NAMES)
def test_a_fault_is_found(name: str, record_property) -> None:
    mutate, scenario = MUTATIONS[name]
    with mutate():
        for tried, story in enumerate(play_all(range(MOST_SEEDS), scenario, jobs=2), 1):
            if story.foul:
                print(f"{name}: found with seed {story.seed}, the {tried}. tried: {story.foul}")
                return
    raise AssertionError(f"{MOST_SEEDS} seeds, and nobody noticed")
