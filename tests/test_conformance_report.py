"""The judge of the suites written by others."""

import pytest

from tests.conformance_report import ConformanceReport, summary_lines


class Report:
    """As much of a test report as the summary reads."""

    when = "call"

    def __init__(self, properties: list[tuple[str, object]]) -> None:
        self.user_properties = properties


def test_counts_are_summed_up() -> None:
    properties: list[tuple[str, object]] = []
    with ConformanceReport(properties)("numbers", {"c": "no reason at all"}) as suite:
        suite.check("a", 1, 1)
        suite.check("b", 2, 2)
        suite.check("c", 3, 4)
        suite.skip("d", "a letter")
    assert list(summary_lines([Report(properties)])) == [  # type: ignore[list-item]
        "numbers: 2 passed, 1 failed with reason, 0 failed without, 1 not applicable",
        "    failed, 1 ×: no reason at all",
        "    not applicable, 1 ×: a letter",
    ]


def test_a_failure_without_a_reason_fails_and_is_counted() -> None:
    properties: list[tuple[str, object]] = []
    suite = ConformanceReport(properties)("numbers")
    suite.check("a", 1, 2)
    with pytest.raises(AssertionError, match="a: got 1, wanted 2"), suite:
        pass
    (line,) = summary_lines([Report(properties)])  # type: ignore[list-item]
    assert "1 failed without" in line


@pytest.mark.parametrize("case", ["passes", "missing"])
def test_a_reason_that_is_not_needed_fails(case: str) -> None:
    suite = ConformanceReport([])("numbers", {case: "once it failed"})
    suite.check("passes", 1, 1)
    with pytest.raises(AssertionError, match="listed as failing"), suite:
        pass


def test_a_suite_without_cases_fails() -> None:
    with pytest.raises(AssertionError, match="not one case"), ConformanceReport([])("numbers"):
        pass


def test_an_error_inside_is_not_hidden() -> None:
    with pytest.raises(KeyError), ConformanceReport([])("numbers", {"a": "unused"}):
        raise KeyError
