"""Pagination of 80 real pages that were labelled by hand: the floors lie a little below what is reached."""

from pathlib import Path

from benchmarks.pagination import samples, score

from tests.conformance_report import ConformanceReport

FLOORS = {"next": 0.93, "previous": 0.95, "pages": 0.93}


def test_pagination_of_labelled_pages(
    conformance_data: Path, conformance_report: ConformanceReport
) -> None:
    found = score(list(samples(conformance_data / "pagination")))
    with conformance_report("pagination of labelled pages (autopager)") as suite:
        for kind, floor in FLOORS.items():
            suite.check(f"{kind}: F1 {found.f1[kind]:.3f}", found.f1[kind] >= floor, True)
        suite.check(f"whole pages: {found.whole:.3f}", found.whole >= 0.88, True)
