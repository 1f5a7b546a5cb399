"""The budget: what each crawl may cost, and what a test says when it costs something else.

`budget/3.11.txt` has a line for each count of each crawl: what was counted, per page and per link. The crawl
`a link more` is no crawl, but the difference of two that differ by the links on their pages.
`budget/functions.txt` has the functions that are called most, so that a finding can name the cause; they are
called as often on each Python.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tools.costs.counts import Counts

FOLDER = Path(__file__).parent / "budget"
COMMAND = "python -m tools.costs --write"
_FUNCTIONS = "functions.txt"
LINK = "a link more"
_TOLERANCE = 0.03
_LINK_TOLERANCE = 0.01
"""Of bytecodes for one more link: the shortest line has two of 130."""
_PER_LINK = ("calls", "bytecodes", "allocations")
_PROFILED = ("deep", "linked")
_TOLD = 10

Totals = Mapping[str, Mapping[str, int]]


def version() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def totals_of(counts: Mapping[str, Counts]) -> dict[str, dict[str, int]]:
    """The totals of each crawl, and the price of links."""
    totals = {name: dict(one.totals) for name, one in counts.items()}
    if "deep" in totals and "linked" in totals:
        few, many = totals["deep"], totals["linked"]
        totals[LINK] = {name: many[name] - few[name] for name in ("links", *_PER_LINK)}
    return totals


def write(counts: Mapping[str, Counts], folder: Path = FOLDER) -> None:
    folder.mkdir(exist_ok=True)
    lines = _budget_lines(totals_of(counts))
    (folder / f"{version()}.txt").write_text("\n".join(lines) + "\n")
    (folder / _FUNCTIONS).write_text("\n".join(_profile_lines(counts)) + "\n")


def _budget_lines(totals: Totals) -> Iterator[str]:
    yield f"# Counted on Python {version()} by `{COMMAND}`; docs/costs.md says what is counted."
    yield f"# {'crawl':<12} {'count':<16} {'in all':>12} {'a page':>12} {'a link':>12}"
    for crawl, costs in totals.items():
        pages, links = costs.get("pages", 0), costs["links"]
        for name, cost in costs.items():
            page = f"{cost / pages:.2f}" if pages else "-"
            yield f"{crawl:<14} {name:<16} {cost:>12} {page:>12} {cost / links:>12.2f}"


def _profile_lines(counts: Mapping[str, Counts]) -> Iterator[str]:
    yield f"# Calls of functions that are called at least once a page, by `{COMMAND}`."
    for crawl in _PROFILED:
        pages = counts[crawl].totals["pages"]
        for name, calls in sorted(counts[crawl].function_calls().items()):
            if calls >= pages and not name.startswith("(library)"):
                yield f"{crawl:<8} {calls:>8} {name}"


def read(folder: Path = FOLDER) -> dict[str, dict[str, int]]:
    """The budget of this Python; empty if there is none."""
    totals: dict[str, dict[str, int]] = {}
    path = folder / f"{version()}.txt"
    for line in path.read_text().splitlines() if path.exists() else ():
        if not line.startswith("#"):
            crawl, rest = line[:14].strip(), line[14:]
            name, cost, _, _ = rest.rsplit(maxsplit=3)
            totals.setdefault(crawl, {})[name.strip()] = int(cost)
    return totals


def read_profile(folder: Path = FOLDER) -> dict[str, dict[str, int]]:
    """Calls of functions when the budget was written."""
    profile: dict[str, dict[str, int]] = {}
    path = folder / _FUNCTIONS
    for line in path.read_text().splitlines() if path.exists() else ():
        if not line.startswith("#"):
            crawl, calls, name = line.split(maxsplit=2)
            profile.setdefault(crawl, {})[name] = int(calls)
    return profile


def compare(counts: Mapping[str, Counts], folder: Path = FOLDER) -> list[str]:
    """What is not as the budget says; empty when all is within a few hundredths."""
    found, allowed = totals_of(counts), read(folder)
    if not allowed:
        return [f"there is no budget for Python {version()}; write it: {COMMAND}"]
    lines, crawls = [], []
    for crawl, costs in found.items():
        for name in dict.fromkeys((*allowed.get(crawl, {}), *costs)):
            before, now = allowed.get(crawl, {}).get(name, 0), costs.get(name, 0)
            if abs(now - before) > _tolerance(crawl, name) * before:
                lines.append(_finding(crawl, name, before, now, costs))
                crawls.append("linked" if crawl == LINK else crawl)
    if not lines:
        return []
    causes = [line for crawl in dict.fromkeys(crawls) for line in _causes(crawl, counts, folder)]
    return [*lines, *causes, f"if the change is worth it, write the new budget: {COMMAND}"]


def _tolerance(crawl: str, name: str) -> float:
    return _LINK_TOLERANCE if (crawl, name) == (LINK, "bytecodes") else _TOLERANCE


def _finding(crawl: str, name: str, before: int, now: int, costs: Mapping[str, int]) -> str:
    verb = "grew" if now > before else "fell"
    part = f" ({(now - before) / before:+.1%})" if before else ""
    unit, number = ("page", costs["pages"]) if costs.get("pages") else ("link", costs["links"])
    each = (now - before) / max(number, 1)
    return f"{crawl}: {name} {verb} from {before} to {now}{part}, {each:+.2f} a {unit}"


def _causes(crawl: str, counts: Mapping[str, Counts], folder: Path) -> list[str]:
    """The functions whose calls differ most from the recorded ones, or those with the most calls."""
    calls, known = counts[crawl].function_calls(), read_profile(folder).get(crawl)
    if known is None:
        most = sorted(calls, key=lambda name: -calls[name])[:_TOLD]
        return [f"  {crawl}: {calls[name]} calls of {name}" for name in most]
    pages = counts[crawl].totals["pages"]
    names = {name for name in calls if calls[name] >= pages} | known.keys()
    names = {name for name in names if not name.startswith("(library)")}
    changes = {name: calls.get(name, 0) - known.get(name, 0) for name in names}
    most = sorted((name for name in names if changes[name]), key=lambda name: -abs(changes[name]))
    return [f"  {crawl}: {changes[name]:+} calls of {name}" for name in most[:_TOLD]] or [
        f"  {crawl}: no function is called more often; the bytecodes of one grew"
    ]
