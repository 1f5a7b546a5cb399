"""Resident memory of a crawl as the number of known URLs grows.

    python -m benchmarks.memory [--known 5000000] [--plot FILE] [--keep FILE]

A simulated web that is much larger than the crawl, so that nearly every link is new, is crawled without
waiting until so many URLs are known; memory is noted at each tenth. What is kept in memory is bounded by
`frontier.memory`, `seen.memory`, `budget.memory` and `content.memory`; by no more than these
together should the last note exceed the first.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path

import gossamer
from gossamer.core.settings import DnsSettings, StoreSettings
from gossamer.lab import Web, serve

Note = dict[str, float]


def resident_bytes() -> int:
    """What the kernel says this process holds in memory."""
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096


def known_urls(job: gossamer.Crawl) -> int:
    """URLs known, those included that wait for a merge; of these nine in ten are new in this web."""
    summary = job.summary()
    return summary.unique_urls + summary.undecided * 9 // 10


def crawl(known: int) -> tuple[list[Note], int]:
    """Crawl until so many URLs are known; returns notes on the way, and the configured budget."""
    notes: list[Note] = []
    steps = sorted({10_000, *(known * tenth // 10 for tenth in range(1, 11))})
    web = Web(seed=7, pages=20 * known, hosts=max(2000, known // 250))
    with serve(web) as served, tempfile.TemporaryDirectory() as work:
        settings = gossamer.Settings(
            dns=DnsSettings(servers=(served.dns_address,)),
            store=StoreSettings(warc=False, links=False),
        )
        job = gossamer.Crawl(
            *(served.web.url(site, 0) for site in range(2000)),
            out=Path(work) / "out",
            settings=settings,
            scope="all",
            delay=0,
            allow_private=True,
        )
        began = time.monotonic()
        for _ in job.turns():
            count = known_urls(job)
            if count >= steps[0]:
                steps.pop(0)
                note = {
                    "known": count,
                    "resident": resident_bytes(),
                    "pages": job.summary().pages,
                    "seconds": time.monotonic() - began,
                }
                notes.append(note)
                print(
                    f"{count:>10,} known  {note['resident'] / 1e6:7.0f} MB  "
                    f"{note['pages']:>9,} pages  {note['seconds']:6.0f} s",
                    flush=True,
                )
            if not steps:
                job.stop("measured")
    components = (settings.frontier, settings.seen, settings.budget, settings.content)
    return notes, sum(room.memory for room in components) + settings.store.history_memory


def plot(notes: list[Note], budget: int, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    known = [note["known"] / 1e6 for note in notes]
    axes.plot(
        known, [note["resident"] / 1e6 for note in notes], marker="o", label="resident memory"
    )
    ceiling = (notes[0]["resident"] + budget) / 1e6
    axes.axhline(ceiling, linestyle="--", label="first note + configured budget")
    axes.set(xlabel="known URLs, millions", ylabel="MB", ylim=(0, ceiling * 1.1))
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--known", type=int, default=5_000_000)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    notes, budget = crawl(arguments.known)
    grown = notes[-1]["resident"] - notes[0]["resident"]
    print(f"grown by {grown / 1e6:.0f} MB; the configured budget is {budget / 1e6:.0f} MB")
    if arguments.plot:
        plot(notes, budget, arguments.plot)
    if arguments.keep:
        arguments.keep.write_text(json.dumps({"budget": budget, "notes": notes}, indent=1) + "\n")


if __name__ == "__main__":
    main()
