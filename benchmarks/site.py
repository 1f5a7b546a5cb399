"""One local site, crawled by Gossamer with everything on and by Scrapy, in turns, in the same run.

    python -m benchmarks.site [--rounds 3] [--keep FILE]

Both are real processes from start to end; `pages/s` counts from the crawl's own start, the CPU time
is that of the whole process, start-up included.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.sites import documentation, has_documentation, simulated

Figures = dict[str, float]


def gossamer(start: str, dns: str = "") -> Figures:
    with tempfile.TemporaryDirectory() as work:
        command = [sys.executable, "-m", "gossamer.cli", "crawl", start, "-o", f"{work}/out"]
        command += ["--delay", "0", "--per-host", "16", "--allow-private", "--json"]
        command += ["--dns", dns] if dns else []
        summary, usage = _run(command)
        stored = sum(path.stat().st_size for path in Path(work).rglob("*") if path.is_file())
    return {**_figures(summary, usage), "stored": stored}


def scrapy(start: str) -> Figures:
    summary, usage = _run([sys.executable, "-m", "benchmarks.scrapy_spider", start])
    return _figures(summary, usage)


def _run(command: list[str]) -> tuple[dict[str, Any], Any]:
    """Run a process; returns the JSON it prints and the resources it used."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command} ended with {process.returncode}")
    return json.loads(text), usage


def _figures(summary: dict[str, Any], usage: Any) -> Figures:
    cpu = usage.ru_utime + usage.ru_stime
    return {
        "pages": summary["pages"],
        "pages/s": summary["pages"] / summary["seconds"],
        "pages/CPU s": summary["pages"] / cpu,
        "memory": usage.ru_maxrss * 1024,
    }


def compare(rounds: int) -> Iterator[tuple[str, str, Figures]]:
    """Every crawler on every site, the rounds interleaved; the median of each figure."""
    with ExitStack() as stack:
        contests: list[tuple[str, str, Any]] = []
        if has_documentation():
            start = stack.enter_context(documentation())
            contests.append(("postgresql-doc-15", "gossamer", lambda: gossamer(start)))
            contests.append(("postgresql-doc-15", "scrapy", lambda: scrapy(start)))
        else:
            print("postgresql-doc-15 or nginx is not installed; that site is left out")
        root, dns = stack.enter_context(simulated())
        # Scrapy cannot be told a name server, so the simulated site is Gossamer's alone.
        contests.append(("simulated", "gossamer", lambda: gossamer(root, dns)))
        runs: dict[tuple[str, str], list[Figures]] = {}
        for _ in range(rounds):
            for site, name, run in contests:
                runs.setdefault((site, name), []).append(run())
        for (site, name), figures in runs.items():
            yield site, name, {key: median(one[key] for one in figures) for key in figures[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="write the figures to this JSON file")
    arguments = parser.parse_args()
    rows = list(compare(arguments.rounds))
    print(
        f"{'site':20} {'crawler':10} {'pages':>7} {'pages/s':>9} {'pages/CPU s':>12} {'memory MB':>10}"
    )
    for site, name, one in rows:
        print(
            f"{site:20} {name:10} {one['pages']:7.0f} {one['pages/s']:9.0f} "
            f"{one['pages/CPU s']:12.0f} {one['memory'] / 1e6:10.0f}"
        )
    speeds = {(site, name): one["pages/s"] for site, name, one in rows}
    for site in {site for site, name in speeds if name == "scrapy"}:
        ratio = speeds[site, "gossamer"] / speeds[site, "scrapy"]
        print(f"{site}: Gossamer is {ratio:.1f} times as fast as Scrapy")
    if arguments.keep:
        arguments.keep.write_text(json.dumps([[*key, one] for *key, one in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
