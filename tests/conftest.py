"""What every test may ask for."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.conformance_report import ConformanceReport, summary_lines

# The examples of a test are the same in each run: what passes here passes at a stranger's, too.
# `make soak` draws new ones each time. A failing one it finds becomes an @example of its test.
settings.register_profile("same", derandomize=True)
settings.register_profile("new", print_blob=True)
settings.load_profile(os.environ.get("GOSSAMER_EXAMPLES", "same"))


@pytest.fixture(scope="session")
def conformance_data() -> Path:
    """The folder of test cases written by others; tests that need it skip without."""
    for place in (os.environ.get("GOSSAMER_DATA"), Path(__file__).parents[2] / "shared" / "data"):
        if place and Path(place).is_dir():
            return Path(place)
    pytest.skip("conformance data is neither at ../shared/data nor where GOSSAMER_DATA points")


@pytest.fixture
def conformance_report(request: pytest.FixtureRequest) -> ConformanceReport:
    """Counts the cases of a suite written by others; `tests/conformance_report.py` says how."""
    return ConformanceReport(request.node.user_properties)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what came of the suites written by others."""
    reports = [
        report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, ())
    ]
    lines = list(summary_lines(reports))
    if lines:
        terminalreporter.section("conformance")
        for line in lines:
            terminalreporter.write_line(line)
