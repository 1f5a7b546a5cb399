"""The judge of the suites written by others."""

from pathlib import Path

import pytest

from tests.conformance_report import ConformanceReport, summary_lines
from tests.inner_pytest import run_pytest


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


ROOT = Path(__file__).parents[1]
NEEDS_DATA = (
    "tests/pipeline/fetch/test_decode.py::test_bombs_of_others",  # of several cases
    "tests/pipeline/fetch/test_decode.py::test_a_damaged_stream_keeps_its_beginning",
)
NEEDS_NONE = "tests/core/url/test_surt.py"
"""All of them load little: each process of a run loads them again."""


def last_line(*arguments: str, data: Path) -> str:
    """Of a run of pytest by itself."""
    quick = ("-p", "no:cacheprovider", "--assert=plain")  # asserts that pass need not be rewritten
    environment = {"GOSSAMER_DATA": str(data)}
    files = f"--basetemp={data.with_name('files')}"
    ended = run_pytest(*quick, files, *arguments, folder=ROOT, environment=environment)
    assert ended.status == 0, ended
    return ended.out.splitlines()[-1]


@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_was_skipped_for_lack_of_data_is_the_last_word(tmp_path: Path, workers: str) -> None:
    """Cases of one test are one suite; the workers of pytest-xdist say nothing by themselves."""
    line = last_line("-n", workers, *NEEDS_DATA, NEEDS_NONE, data=tmp_path / "nowhere")
    assert line.startswith("conformance: 2 suites written by others were skipped")
    assert "GOSSAMER_DATA=FOLDER" in line


def test_nothing_is_said_when_nothing_was_skipped(tmp_path: Path) -> None:
    assert "conformance" not in last_line(NEEDS_NONE, data=tmp_path / "nowhere")
