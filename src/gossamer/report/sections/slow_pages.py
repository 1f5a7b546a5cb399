"""Pages with slow answers."""

from gossamer.report.bars import draw_bars
from gossamer.report.crawled_site import Site
from gossamer.report.report_section import Section

_BOUNDS = (0.1, 0.3, 1.0, 3.0, 10.0)


def find_slow_pages(site: Site, seconds: float) -> Section:
    took = [(page.seconds, page) for page in site if page.status]
    slow = sorted(((-time, page.url, page.status) for time, page in took if time > seconds))
    return Section(
        "slow-pages",
        "Slow pages",
        f"Answers that took more than {seconds:g} seconds, from the request to the last byte, as the "
        "crawl saw them once. Other load of the server at that time is included.",
        ("url", "seconds", "status"),
        [(url, round(-time, 3), status) for time, url, status in slow],
        picture=draw_bars("Answers by seconds", _by_seconds([time for time, _ in took])),
    )


def _by_seconds(times: list[float]) -> list[tuple[str, int]]:
    """
    >>> _by_seconds([0.05, 0.5, 20])[0], _by_seconds([0.05, 0.5, 20])[-1]
    (('up to 0.1', 1), ('more than 10', 1))
    """
    bars, before = [], -1.0
    for bound in _BOUNDS:
        bars.append((f"up to {bound:g}", sum(before < time <= bound for time in times)))
        before = bound
    return [*bars, (f"more than {before:g}", sum(time > before for time in times))]
