"""Forms whose target cannot be read."""

from collections.abc import Iterator
from http import HTTPStatus

from gossamer.report.contents import ArchivedMarkup
from gossamer.report.crawled_site import Site
from gossamer.report.report_section import Cell, Section


def find_broken_forms(site: Site, contents: ArchivedMarkup) -> Section:
    unvisited = sum(site.get(target) is None for target, _ in contents.forms)
    return Section(
        "forms",
        "Forms",
        "Forms whose target cannot be read, or that send from https to http. "
        "Correct the form's action, or its target.",
        ("url", "method", "problem", "forms", "a page"),
        sorted(_rows(site, contents), key=lambda row: (str(row[0]), str(row[1]))),
        f"Forms lead to {unvisited:,} URLs that the crawl has not visited; they were not checked."
        if unvisited
        else contents.remark,
    )


def _rows(site: Site, contents: ArchivedMarkup) -> Iterator[tuple[Cell, ...]]:
    for (target, method), use in contents.forms.items():
        if problem := _problem(site, target, method, use.page):
            yield target, method, problem, use.count, use.page


def _problem(site: Site, target: str, method: str, page: str) -> str:
    if page.startswith("https:") and target.startswith("http:"):
        return "sent without TLS"
    trail = site.follow(target)
    end = site.get(trail.end)
    if trail.is_endless:
        return "redirect_loop"
    wants_post = method == "post" and end is not None
    if end is None or (wants_post and end.status == HTTPStatus.METHOD_NOT_ALLOWED):
        return ""  # it was asked by GET, and may well take a POST
    return end.trouble
