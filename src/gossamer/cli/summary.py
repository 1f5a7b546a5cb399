"""The last word of a crawl, for people."""

from typing import TYPE_CHECKING

from gossamer.cli.duration import write_bytes, write_duration

if TYPE_CHECKING:
    from gossamer.tally import Summary


def print_summary(summary: "Summary") -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(show_header=False, box=None)
    for name, value in _rows(summary):
        table.add_row(f"[bold cyan]{name}[/]", value)
    Console(highlight=False).print(table)


def _rows(summary: "Summary") -> list[tuple[str, str]]:
    rows = [
        ("ended", summary.stopped_by.replace("_", " ") or "still running"),
        (
            "pages",
            f"{summary.pages:,} in {write_duration(summary.seconds)}: "
            f"{summary.pages_per_second:,.1f} pages/s",
        ),
        ("bytes", write_bytes(summary.bytes)),
        (
            "links",
            f"{summary.links:,} to {summary.unique_urls:,} different URLs; "
            f"{summary.waiting:,} still waiting",
        ),
        ("duplicates", f"{summary.duplicates:,}"),
        ("status", _counts(summary.statuses)),
        ("refused", _counts(summary.refused)),
        ("errors", _counts(summary.errors)),
        ("levels", " ".join(map(str, summary.levels)) if summary.waiting else ""),
        ("deferred", f"{summary.deferred:,} over budget" if summary.deferred else ""),
        ("budgets", _counts(dict(list(summary.budgets.items())[:10]))),
        (
            "on disk",
            "  ".join(f"{name} {write_bytes(size)}" for name, size in summary.disk.items()),
        ),
        ("directory", summary.directory),
    ]
    return [(name, value) for name, value in rows if value]


def _counts(counts: dict[str, int]) -> str:
    return "  ".join(f"{name} {count:,}" for name, count in counts.items())
