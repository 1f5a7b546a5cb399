"""Canonical links to URLs that cannot be canonical."""

from collections.abc import Iterator

from gossamer.core.outcomes import Outcome
from gossamer.report.crawled_site import Site
from gossamer.report.references import References
from gossamer.report.report_section import Section


def find_poor_canonicals(site: Site, references: References) -> Section:
    return Section(
        "canonicals",
        "Canonical links",
        "Pages whose canonical URL search engines cannot use: an error, a redirect, a page that "
        "names yet another one, or one that may not be indexed. They then choose one themselves.",
        ("page", "canonical", "problem"),
        sorted(_rows(site, references)),
    )


def _rows(site: Site, references: References) -> Iterator[tuple[str, str, str]]:
    for page, target in references.second_canonical.items():
        yield page, target, "several"
    for page, target in references.canonical.items():
        if problem := _problem(site, references, page, target):
            yield page, target, problem


def _problem(site: Site, references: References, page: str, target: str) -> str:
    if problem := problem_of(site, target):
        return problem
    seen, here = {page}, target
    while (following := references.canonical.get(here)) is not None:
        if here in seen:
            return "loop"
        seen.add(here)
        here = following
    return f"names another one: {here}" if here != target else ""


def problem_of(site: Site, url: str) -> str:
    """The reason why a search engine cannot use a URL that a page names; empty if it can, or if nothing is
    known."""
    visited, trail = site.get(url), site.follow(url)
    end = site.get(trail.end)
    if trail.is_endless:
        return "redirect_loop"
    if end is not None and end.trouble:
        return end.trouble
    if trail.steps:
        return f"redirect to {trail.end}"
    if visited is None:
        return ""
    if visited.outcome == Outcome.ROBOTS_DISALLOWED:
        return "robots.txt forbids it"
    return "" if visited.is_indexable else "noindex"
