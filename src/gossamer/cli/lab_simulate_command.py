"""`gossamer lab simulate`: whole crawls on a virtual clock, with faults from a seed."""

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gossamer.lab.simulator import Story

_ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "NUMPY_MADVISE_HUGEPAGE": "0",
    "MALLOC_MMAP_THRESHOLD_": "1048576",
    "OPENBLAS_NUM_THREADS": "1",
}
"""Fixed hashes of strings, for the order of sets is a part of what is decided; and memory for crawls that
touch little of their large tables."""


def simulate(
    seed: Annotated[int, typer.Option(help="The seed, or the first of several.", min=0)] = 0,
    scenario: Annotated[
        str,
        typer.Option(
            help="calm, kills, power, disk, hosts, exchange, clocks, limit, storm, retirement, "
            "continuous or polite. Default: the seed chooses."
        ),
    ] = "",
    seeds: Annotated[
        int, typer.Option(help="Number of seeds to run, counted up from the first.", min=1)
    ] = 1,
    jobs: Annotated[int, typer.Option(help="Number of processes at the same time.", min=1)] = 2,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Keep the crawl directory of a single seed.")
    ] = None,
) -> int:
    """Run the real crawler in a simulator: virtual time, a simulated web, and everything that can go wrong.

    With one seed, the whole run is printed. With several seeds, only failed runs are printed, each with
    the command that repeats it.
    """
    _fix_environment()
    from gossamer.engine import warm

    warm.load()
    if seeds > 1:
        return _play_many(range(seed, seed + seeds), scenario, jobs)
    status = _simulate_one(seed, scenario, out)
    sys.stdout.flush()
    os._exit(status)  # actors that crashed must not wake up now


def _fix_environment() -> None:
    """Begin again where the environment is another one: it is looked at when a process begins."""
    if not _ENVIRONMENT.items() <= os.environ.items():
        os.environ.update(_ENVIRONMENT)
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, "-m", "gossamer.cli", *sys.argv[1:]])


def _simulate_one(seed: int, name: str, out: Path | None) -> int:
    from gossamer.lab.simulator import simulate as play
    from gossamer.lab.simulator.simulation_runs import choose

    chosen, scenario = choose(seed, name)
    print(f"seed {seed}, scenario {chosen}: {scenario}")
    began = time.monotonic()
    story = play(seed, chosen, scenario, print, out)
    print(_describe(story))
    # Not a part of what is the same in every run, so it goes elsewhere.
    speed = story.seconds / (time.monotonic() - began)
    print(f"{speed:,.0f} simulated seconds a second", file=sys.stderr)
    return 1 if story.foul else 0


def _play_many(seeds: range, name: str, jobs: int) -> int:
    from gossamer.lab.simulator.simulation_runs import play_all

    began, fouls, virtual = time.monotonic(), 0, 0.0
    for story in play_all(seeds, name, jobs):
        virtual += story.seconds
        if story.foul:
            fouls += 1
            print(f"seed {story.seed} ({story.scenario}): {story.foul}")
            print(f"  repeat: gossamer lab simulate --seed {story.seed}{_option(name)}", flush=True)
    seconds = time.monotonic() - began
    print(
        f"{len(seeds)} seeds in {seconds:.0f} s ({60 * len(seeds) / seconds:.0f} a minute), "
        f"{virtual / seconds:,.0f} simulated seconds a second: "
        + (f"{fouls} broke a promise" if fouls else "all checks passed")
    )
    return 1 if fouls else 0


def _option(name: str) -> str:
    return f" --scenario {name}" if name else ""


def _describe(story: "Story") -> str:
    verdict = f"BROKEN PROMISE: {story.foul}" if story.foul else "all checks passed"
    return (
        f"{story.pages} pages, {story.requests} requests ({story.again} again after a crash), "
        f"{story.incarnations} incarnations, {story.deaths} crashes, {story.seconds:,.0f} simulated seconds, "
        f"{story.steps:,} steps, {story.operations:,} disk operations\n"
        f"fingerprint of decisions: {story.print[:16]}\n{verdict}"
    )
