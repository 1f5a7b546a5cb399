"""Documentation sites, crawled by Gossamer itself and read, ranked: what a search is tried on.

    python -m benchmarks.crawled_sites FOLDER

All sites that `benchmarks.sites` finds on this machine are served on loopback and crawled together. What each
step costs is kept beside the crawl; a folder that has it is used as it is.
"""

import argparse
import resource
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from benchmarks.sites import APART, SITES, Site, available, documentation

_COSTS = "costs.json"


def crawled(folder: Path, wanted: Sequence[Site] = SITES) -> Path | None:
    """A crawl of all sites that are there, with texts and PageRank; nothing when there is none."""
    crawl = folder / "crawl"
    if not (folder / _COSTS).exists():
        sites = available(wanted)
        if not sites:
            return None
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            seeds = [stack.enter_context(documentation(site.folder)) for site in sites]
            polite = ("--delay", "0", "--allow-private", "--set", "politeness.per_host=8")
            most = (
                ("--max-pages", str(sum(site.pages for site in sites))) if wanted is APART else ()
            )
            costs = {"crawl": run("crawl", *seeds, "-o", str(crawl), *polite, *most)}
        costs["text"] = run("text", str(crawl), "--workers", "1")
        costs["graph"] = run("graph", "build", str(crawl)) + run("graph", "rank", str(crawl))
        (folder / _COSTS).write_bytes(msgspec.json.encode(costs))
    return crawl


def costs_of(folder: Path) -> dict[str, float]:
    """CPU seconds of each step."""
    return msgspec.json.decode((folder / _COSTS).read_bytes(), type=dict[str, float])


def run(*words: str) -> float:
    """A command of Gossamer; CPU seconds of its process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "gossamer.cli", *words], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    if crawled(folder):
        print({step: f"{seconds:.1f} CPU s" for step, seconds in costs_of(folder).items()})


if __name__ == "__main__":
    main()
