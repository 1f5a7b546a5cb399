"""Results of the visits, by status."""

from collections import Counter

from gossamer.core.outcomes import Outcome
from gossamer.report.bars import draw_bars
from gossamer.report.crawled_site import Site, VisitedUrl
from gossamer.report.report_section import Section


def count_statuses(site: Site) -> Section:
    counts = Counter(map(_name, site))
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    return Section(
        "statuses",
        "All URLs",
        "Results of all URLs: the status of the last answer, or the outcome if there was none.",
        ("status", "urls"),
        rows,
        picture=draw_bars("URLs by status", rows[:_MOST_BARS]),
        total=len(site),
    )


_MOST_BARS = 15


def _name(page: VisitedUrl) -> str:
    return str(page.status) if page.outcome == Outcome.FETCHED else page.outcome
