"""The last word of a crawl, for people."""

from typing import TYPE_CHECKING

from gossamer.core.quantities import write_bytes, write_duration
from gossamer.engine.endings import ENDINGS

if TYPE_CHECKING:
    from gossamer.engine.crawl_health import CrawlSnapshot, CrawlVerdict
    from gossamer.engine.summary import Summary


def print_summary(
    summary: "Summary", at: "CrawlSnapshot | None" = None, verdict: "CrawlVerdict | None" = None
) -> None:
    """`at`, `verdict`: of a crawl that may be running; without them it has just ended."""
    from rich.console import Console
    from rich.table import Table

    table = Table(show_header=False, box=None)
    table.add_column()
    table.add_column(overflow="fold")  # advice is of use only as a whole
    for name, value in _rows(summary, at, verdict):
        table.add_row(f"[bold cyan]{name}[/]", value)
    Console(highlight=False).print(table)


def _rows(
    summary: "Summary", at: "CrawlSnapshot | None", verdict: "CrawlVerdict | None"
) -> list[tuple[str, str]]:
    is_running = at is not None and at.is_running
    rows = [
        *(_state(verdict, summary.directory) if verdict and is_running else ()),
        ("ended", "" if is_running else _ending(summary)),
        (
            "pages",
            f"{summary.pages:,} in {write_duration(summary.seconds)}: "
            f"{summary.pages_per_second:,.1f} pages/s"
            + (f" on average, {at.pages_per_second:,.1f} now" if at and is_running else ""),
        ),
        ("bytes", write_bytes(summary.bytes)),
        (
            "links",
            f"{summary.links:,} to {summary.unique_urls:,} different URLs; "
            f"{summary.waiting:,} still waiting",
        ),
        (
            "duplicates",
            f"{summary.duplicates:,} same, {summary.same_text:,} text, {summary.near_duplicates:,} near",
        ),
        (
            "unchanged",
            f"{summary.unchanged:,} since they were visited before" if summary.unchanged else "",
        ),
        (
            "due again",
            f"{summary.scheduled:,} pages" if summary.scheduled else "",
        ),
        (
            "retired",
            f"{summary.retired:,} deleted for more valuable pages" if summary.retired else "",
        ),
        ("set aside", _set_aside(summary)),
        *_found(summary),
        ("scripts", _shells(summary)),
        ("held back", _held(summary)),
        ("left alone", _left_alone(summary)),
        *(("login", line) for line in summary.logins),
        ("respelled", f"{summary.respelled:,}" if summary.respelled else ""),
        ("folded", _folded(summary)),
        *(("decision", line) for line in summary.decisions),
        ("status", _counts(summary.statuses)),
        ("refused", _counts(summary.refused)),
        ("errors", _counts(summary.errors)),
        ("troubles", _counts(summary.troubles)),
        ("waiting", _waiting(summary)),
        ("exchange", _exchange(summary)),
        *machine_rows(summary, _MACHINES),
        ("budgets", _counts(dict(list(summary.budgets.items())[:10]))),
        (
            "on disk",
            "  ".join(f"{name} {_whole(size)}" for name, size in summary.disk.items() if size),
        ),
        ("directory", summary.directory),
    ]
    return [(name, value) for name, value in rows if value]


def _found(summary: "Summary") -> list[tuple[str, str]]:
    """List the counts of analyzers that are in no other line."""
    from gossamer.core.analyzer_registry import counts

    values = {**summary.found, "soft_errors": summary.soft_errors}
    labels = {count.name: count.label for count in counts()}
    rows = [(labels.get(name) or name.replace("_", " "), count) for name, count in values.items()]
    return [(name, f"{count:,}") for name, count in rows if count]


def _set_aside(summary: "Summary") -> str:
    """URLs that waited, and that a command keeps from being visited."""
    counts = (
        (summary.blocked, "blocked"),
        (summary.out_of_scope, "out of scope since the scope was changed"),
    )
    return ", ".join(f"{count:,} URLs {why}" for count, why in counts if count)


def _whole(size: int) -> str:
    """A number that is not parted from its unit at the end of a line."""
    return write_bytes(size).replace(" ", "\u00a0")


def _state(verdict: "CrawlVerdict", directory: str) -> list[tuple[str, str]]:
    """Yield the state of the crawl, and the `gossamer control` commands that would help."""
    lines = [f"{verdict.state.words}: {verdict.cause} {verdict.advice}".rstrip(), *verdict.alarms]
    for remedy in verdict.remedies:
        words = " ".join(filter(None, (remedy.order, remedy.what, remedy.value)))
        lines.append(f"`gossamer control {directory} {words}`")
    return [("state" if not number else "", line) for number, line in enumerate(lines)]


def _ending(summary: "Summary") -> str:
    """Yield the reason of the end, and the command to continue if something is left."""
    what = ENDINGS.get(summary.stopped_by, summary.stopped_by) or "still running"
    if summary.stopped_by == "blocked":
        return (
            f"blocked: {summary.blocked:,} URLs are set aside; `gossamer control {summary.directory} state` "
            f"lists the blocks, `unblock` ends one, then `gossamer resume {summary.directory}`"
        )
    if summary.stopped_by == "on_hold" and summary.wait_seconds:
        what += f"; the next try is possible in {write_duration(summary.wait_seconds)}"
    if summary.stopped_by and _has_more(summary):
        limit = LIMITS.get(summary.stopped_by, "")
        what += f"; continue with `gossamer resume {summary.directory}{limit}`"
    return what


def _has_more(summary: "Summary") -> bool:
    """Is anything left to do for a crawl that does not run?"""
    on_its_way = summary.exchange.get("waiting_bytes")
    is_cut_off = summary.stopped_by == "killed"
    return bool(summary.waiting or summary.scheduled or on_its_way or is_cut_off)


def _resume(summary: "Summary", options: str) -> str:
    """The command that goes on with other settings: a crawl that runs has to be stopped before."""
    stop = "" if summary.stopped_by else f"`gossamer control {summary.directory} stop`, then "
    return f"{stop}`gossamer resume {summary.directory} {options}`"


LIMITS = {"max_pages": " --max-pages 0", "max_time": " --max-time 0"}
"""A limit that was reached holds for later runs too, unless they are told otherwise."""


def _waiting(summary: "Summary") -> str:
    """Say in which queues URLs are waiting."""
    if not summary.waiting:
        return ""
    front, deferred = sum(summary.levels), summary.deferred
    hosts = summary.waiting - front - deferred
    return f"{hosts:,} in host queues, {front:,} in front queues, {deferred:,} over budget"


def _exchange(summary: "Summary") -> str:
    """Say how many messages partitions exchanged."""
    if summary.partitions == 1:
        return ""
    present = {name: count for name, count in summary.exchange.items() if count}
    return f"{summary.partitions} partitions: {_counts(present)}"


_MACHINES = 40
"""That are told one by one."""


def machine_rows(summary: "Summary", most: int) -> list[tuple[str, str]]:
    """A row for each machine, up to this many."""
    rows = [
        (
            "machine",
            f"{name}: {_numbered(share.partitions)}; {share.pages:,} pages, "
            f"{share.waiting:,} waiting, {share.in_flight:,} in flight",
        )
        for name, share in list(summary.machines.items())[:most]
    ]
    if len(summary.machines) > most:
        rows.append(("machine", f"and {len(summary.machines) - most:,} more"))
    return rows


def _numbered(partitions: tuple[int, ...]) -> str:
    numbers = " ".join(map(str, partitions))
    return f"partition{'s' * (len(partitions) > 1)} {numbers}"


def _held(summary: "Summary") -> str:
    if not summary.held:
        return ""
    return (
        f"{summary.held:,} URLs that probably bring nothing new; to fetch them anyway: "
        + _resume(summary, "--set detect.traps=false --set detect.mirrors=false")
    )


def _shells(summary: "Summary") -> str:
    if not summary.needs_browser:
        return ""
    return (
        f"{summary.shells:,} of {summary.statuses['200']:,} pages have hardly any text and no links; the "
        "site builds its pages with scripts, which a crawl does not run"
    )


def _folded(summary: "Summary") -> str:
    if not summary.folded:
        return ""
    return (
        f"{summary.folded:,} URLs were taken for other spellings of pages; `gossamer rules "
        f"{summary.directory}` lists the rules; to fetch them anyway: `gossamer resume {summary.directory} "
        "--set detect.dust=false`, or only those that match REGEX: `--set 'detect.as_found=[\"REGEX\"]'`"
    )


def _left_alone(summary: "Summary") -> str:
    count = summary.refused.get("action", 0)
    if not count:
        return ""
    return (
        f"{count:,} links were not followed, because the crawl is logged in there and they may "
        "change something; the links table lists them (refused: action); to fetch one, add it as a "
        "seed; to follow all, crawl with `--set scope.follow_actions=true`"
    )


def _counts(counts: dict[str, int]) -> str:
    return "  ".join(f"{name} {count:,}" for name, count in counts.items())
