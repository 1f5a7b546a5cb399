"""Real articles: how much of their main text is found, and how little of what is around it.

The floors lie a little below what is reached. They are floors of figures and not of single pages: authors
of pages do not agree on what belongs to an article, and neither do those who judge them.
"""

from pathlib import Path

from benchmarks.articles import ours, samples, score

from tests.conformance_report import ConformanceReport

FLOORS = {"seen": 0.955, "held back": 0.93}


def test_articles(conformance_data: Path, conformance_report: ConformanceReport) -> None:
    pages = list(samples(conformance_data / "articles"))
    with conformance_report("main text of articles (trafilatura's evaluation)") as suite:
        for half, floor in FLOORS.items():
            part = [page for page in pages if page.half == half]
            found = score(part, [ours(page.html) for page in part])
            suite.check(f"{half}, {len(part)} pages: F {found.f:.3f}", found.f >= floor, True)
            suite.check(f"{half}: recall {found.recall:.3f}", found.recall >= 0.95, True)
