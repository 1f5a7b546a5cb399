"""Costs of fixed simulated crawls are what the budget says; whoever adds some changes the budget, too."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from tools.costs import budget
from tools.costs.counts import CountingError, Counts, count


@pytest.fixture(scope="module")
def counts() -> dict[str, Counts]:
    return count()


def test_costs_are_within_the_budget(counts: dict[str, Counts]) -> None:
    findings = budget.compare(counts)
    assert not findings, "\n" + "\n".join(findings)


def test_a_line_more_for_each_link_is_found() -> None:
    """The shortest line of Python, `before = key`, in a loop over links."""
    dearer = count("deep", "linked", module="tests.tools.dearer_links")
    findings = budget.compare(dearer)
    assert findings[0].startswith("a link more: bytecodes grew from "), findings
    assert findings[-1] == f"if the change is worth it, write the new budget: {budget.COMMAND}"


def test_what_is_written_is_kept_to(counts: dict[str, Counts], tmp_path: Path) -> None:
    assert "write it: python -m tools.costs --write" in budget.compare(counts, tmp_path)[0]
    budget.write(counts, tmp_path)
    assert budget.compare(counts, tmp_path) == []
    assert budget.read(tmp_path) == budget.totals_of(counts)


@pytest.mark.parametrize(("part", "is_told"), [(1.02, False), (1.04, True), (0.96, True)])
def test_each_count_is_held(
    counts: dict[str, Counts], tmp_path: Path, part: float, is_told: bool
) -> None:
    budget.write(counts, tmp_path)
    deep = counts["deep"]
    for name in ("bytes written", "journal bytes", "system calls"):
        before = deep.totals[name]
        changed = replace(deep, totals={**deep.totals, name: int(part * before)})
        found = budget.compare({"deep": changed}, tmp_path)
        assert any(line.startswith(f"deep: {name} ") for line in found) == is_told


def test_a_finding_names_the_function(counts: dict[str, Counts], tmp_path: Path) -> None:
    budget.write(counts, tmp_path)
    deep, name = counts["deep"], "pipeline/seen/recently_seen.py Lately.meet"
    calls, bytecodes = deep.functions[name]
    functions = {**deep.functions, name: (calls + 10_000, bytecodes)}
    totals = {**deep.totals, "calls": deep.totals["calls"] + 10_000}
    found = budget.compare({"deep": replace(deep, totals=totals, functions=functions)}, tmp_path)
    assert found[0].startswith("deep: calls grew from ")
    assert found[1] == f"  deep: +10000 calls of {name}"


def test_two_partitions_talk(counts: dict[str, Counts]) -> None:
    """Each count counts something."""
    assert counts["shared"].totals["frames"] > 0 < counts["shared"].totals["frame bytes"]
    assert all(0 not in one.totals.values() for one in counts.values())
    assert {"write", "fdatasync", "open"} <= counts["deep"].system.keys()


def test_an_error_of_the_counting_is_told() -> None:
    with pytest.raises(CountingError, match="No module named"):
        count(module="tools.costs.no_such_module")
