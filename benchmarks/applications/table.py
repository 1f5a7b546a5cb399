"""Figures as a table in text, and as JSON."""

import json
from collections.abc import Mapping
from pathlib import Path

from benchmarks.applications.figures import POINTS, Figures

Results = Mapping[str, Mapping[str, Figures]]
"""Figures by application and crawler."""

_COLUMNS = ("fetches", "ended", "items", "of", "wasted", "90 %", "lost", "behind", "old")


def lines(results: Results) -> list[str]:
    """A table in Markdown. `lost`: items that a finished crawl lacks; `behind`: how far behind FIFO."""
    head = ["application", "crawler", *(f"{point:,}" for point in POINTS), *_COLUMNS]
    rows = [f"| {' | '.join(head)} |", "|---|---|" + "---:|" * (len(head) - 2)]
    for application, by_crawler in results.items():
        for crawler, one in by_crawler.items():
            rows.append(f"| {application} | {crawler} | {' | '.join(_cells(one))} |")
    return rows


def _cells(one: Figures) -> list[str]:
    return [
        *(f"{one.by[point]:,}" for point in POINTS),
        f"{one.fetches:,}",
        "finished" if one.finished else "cut off",
        f"{one.items:,}",
        f"{one.reachable:,}",
        f"{one.wasted:.1%}",
        f"{one.ninety:,}" if one.ninety else "never",
        f"{len(one.lost):,}" if one.finished else "",
        f"{one.behind:,}",
        f"{one.old:,}",
    ]


def keep(results: Results, path: Path) -> None:
    """Write the figures as JSON, with the names of what was lost."""
    plain = {
        application: {crawler: one.as_dict() for crawler, one in by_crawler.items()}
        for application, by_crawler in results.items()
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(plain, indent=1, default=str) + "\n")
