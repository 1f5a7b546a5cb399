"""The simulator notices when a promise is broken: faults put in on purpose are found.

GOSSAMER_MUTATIONS=all tries every one of them (`make soak`); else those that a calm seed shows.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lab.simulator.mutations import MUTATIONS, SURROUNDINGS

ROOT = Path(__file__).parents[3]
MOST_SEEDS = 40
QUICK = ("robots.txt ignored", "hosts not rested", "URLs released twice")
NAMES = list(MUTATIONS) if os.environ.get("GOSSAMER_MUTATIONS") == "all" else QUICK


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", NAMES)
def test_a_fault_is_found(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.lab.simulator.mutations", name, str(MOST_SEEDS)],
        cwd=ROOT,
        env={**os.environ, **SURROUNDINGS},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    assert "found by seed" in done.stdout, f"{MOST_SEEDS} seeds, and nobody noticed"
