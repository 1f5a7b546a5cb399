"""Suites written by others: every case passes or is listed with a reason, and the counts are printed.

    def test_cases(conformance_data, conformance_report):
        reasons = {"case 17": "the suite predates the 2023 change of the standard"}
        with conformance_report("URL parsing (web-platform-tests)", reasons) as suite:
            for name, given, wanted in cases(conformance_data):
                suite.check(name, parse(given), wanted)

Leaving the block fails the test when a case failed without a listed reason, and when a reason is
listed for a case that passes or does not exist. A case that cannot apply to us at all is recorded
by `suite.skip(name, reason)`. The end of the test run prints one line per suite. The counts travel
with the test reports as user properties, so they also arrive from the workers of pytest-xdist. Suites that
are skipped because their data is not there are counted in the last line of the run.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Self

import pytest

_PROPERTY = "conformance"
NO_DATA = (
    "conformance data is neither where GOSSAMER_DATA points nor, without it, at ../shared/data"
)


class Suite:
    """Collects the results of one suite; a context manager that judges them at its end."""

    def __init__(
        self, name: str, reasons: Mapping[str, str], properties: list[tuple[str, Any]]
    ) -> None:
        self.name = name
        self.passed = 0
        self.skipped: list[str] = []
        self._reasons = reasons
        self._failed: dict[str, str] = {}
        self._properties = properties

    def check(self, case: str, got: object, wanted: object) -> None:
        """Record that `case` gave `got` where the suite says `wanted`."""
        if got == wanted:
            self.passed += 1
        else:
            self._failed[case] = f"{case}: got {got!r}, wanted {wanted!r}"

    def skip(self, case: str, reason: str) -> None:
        """Record a case that does not apply to us."""
        self.skipped.append(reason)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self._properties.append((_PROPERTY, self._summary()))
            self._judge()

    def _summary(self) -> dict[str, Any]:
        listed = [reason for case, reason in self._reasons.items() if case in self._failed]
        return {
            "name": self.name,
            "passed": self.passed,
            "listed": dict(Counter(listed)),
            "unlisted": len(self._failed.keys() - self._reasons.keys()),
            "not_applicable": dict(Counter(self.skipped)),
        }

    def _judge(self) -> None:
        unlisted = [text for case, text in self._failed.items() if case not in self._reasons]
        assert not unlisted, "failed without a listed reason:\n" + "\n".join(unlisted[:50])
        stale = self._reasons.keys() - self._failed.keys()
        assert not stale, f"listed as failing, but passing or missing: {sorted(stale)}"
        assert self.passed or self.skipped, f"{self.name}: not one case was run"


class ConformanceReport:
    """Begins suites on behalf of one test."""

    def __init__(self, properties: list[tuple[str, Any]]) -> None:
        self._properties = properties

    def __call__(self, name: str, reasons: Mapping[str, str] | None = None) -> Suite:
        """Begin the suite `name`; `reasons` lists the cases that are known to fail, and why."""
        return Suite(name, reasons or {}, self._properties)


def summary_lines(reports: Iterable[pytest.TestReport]) -> Iterator[str]:
    """One line per suite, and one per reason, in the order of the suites' names."""
    suites: list[Any] = [
        value
        for report in reports
        if getattr(report, "when", None) == "call"
        for key, value in report.user_properties
        if key == _PROPERTY
    ]
    for suite in sorted(suites, key=lambda suite: str(suite["name"])):
        yield from _lines(suite)


def _lines(suite: dict[str, Any]) -> Iterator[str]:
    listed, other = suite["listed"], suite["not_applicable"]
    yield (
        f"{suite['name']}: {suite['passed']} passed, {sum(listed.values())} failed with reason, "
        f"{suite['unlisted']} failed without, {sum(other.values())} not applicable"
    )
    yield from (f"    failed, {count} ×: {reason}" for reason, count in listed.items())
    yield from (f"    not applicable, {count} ×: {reason}" for reason, count in other.items())


def missing_line(skipped: Iterable[pytest.TestReport]) -> str:
    """How many suites were skipped for lack of data, and how to get them; nothing if none was.

    A suite is a test function, however many cases it is asked for.
    """
    suites = {
        report.nodeid.partition("[")[0] for report in skipped if NO_DATA in str(report.longrepr)
    }
    if not suites:
        return ""
    return (
        f"conformance: {len(suites)} suites written by others were skipped for lack of their data; "
        "GOSSAMER_DATA=FOLDER names where it is (CONTRIBUTING.md says what it holds and where it is from)"
    )
