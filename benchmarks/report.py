"""One form for all figures: rows that are printed, kept as JSON and as a page with plots."""

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple


class Row(NamedTuple):
    benchmark: str
    subject: str
    """What was crawled."""
    name: str
    """Who crawled it."""
    figures: dict[str, float]


def print_rows(rows: Iterable[Row]) -> None:
    for line in table(rows):
        print(line)


def table(rows: Iterable[Row]) -> list[str]:
    """A table in Markdown for each benchmark, with the columns that its figures have."""
    lines: list[str] = []
    for benchmark, group in groupby(rows, key=lambda row: row.benchmark):
        found = list(group)
        columns = list(dict.fromkeys(key for row in found for key in row.figures))
        lines += [f"\n## {benchmark}\n", "| | | " + " | ".join(columns) + " |"]
        lines.append("|---|---|" + "---:|" * len(columns))
        for row in found:
            cells = [_spell(column, row.figures.get(column)) for column in columns]
            lines.append(f"| {row.subject} | {row.name} | " + " | ".join(cells) + " |")
    return lines


def ratios(rows: Sequence[Row]) -> list[str]:
    """How Gossamer compares with each of its peers on the same site in the same run."""
    lines = []
    ours = {row.subject: row.figures for row in rows if row.name == "gossamer"}
    for row in rows:
        if row.benchmark == "site" and row.name != "gossamer" and row.subject in ours:
            own = ours[row.subject]
            keys = ("pages/s", "pages/CPU s", "running")
            parts = [f"{own[key] / row.figures[key]:.2f} × {key}" for key in keys]
            lines.append(f"- {row.subject}, Gossamer against {row.name}: {', '.join(parts)}")
    return lines


def keep(rows: Sequence[Row], said: Sequence[str], folder: Path) -> None:
    """Write `bench.json`, `bench.md` and, if matplotlib is there, `bench.svg`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bench.json").write_text(json.dumps([row._asdict() for row in rows], indent=1) + "\n")
    has_plot = _plot(rows, folder / "bench.svg")
    lines = ["# All whole-crawl benchmarks of one run", "", "`make bench`; figures are medians."]
    lines += ["", *said, *table(rows), *(["", "![plot](bench.svg)"] if has_plot else [])]
    (folder / "bench.md").write_text("\n".join(lines) + "\n")


def _spell(column: str, value: float | None) -> str:
    if value is None:
        return ""
    if column in ("memory", "stored"):
        return f"{value / 1e6:,.0f} MB"
    if column in ("share", "CPU"):
        return f"{value:.1%}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _plot(rows: Sequence[Row], path: Path) -> bool:
    """Pages per CPU second on each site, side by side."""
    try:
        from matplotlib import pyplot
    except ImportError:
        print("matplotlib is not installed; no plot")
        return False
    sites = [row for row in rows if row.benchmark == "site"]
    if not sites:
        return False
    subjects = list(dict.fromkeys(row.subject for row in sites))
    figure, axes = pyplot.subplots(
        1, len(subjects), figsize=(3.2 * len(subjects), 3), squeeze=False
    )
    for axis, subject in zip(axes[0], subjects, strict=True):
        found = [row for row in sites if row.subject == subject]
        axis.bar([row.name for row in found], [row.figures["pages/CPU s"] for row in found])
        axis.set_title(subject, fontsize=9)
        axis.tick_params(axis="x", labelrotation=60, labelsize=7)
    axes[0][0].set_ylabel("pages per CPU second")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    return True
