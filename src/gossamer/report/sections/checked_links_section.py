"""Broken links to URLs outside of the crawl."""

from collections.abc import Collection, Iterator

from gossamer.core.records import Link
from gossamer.core.url import parse
from gossamer.core.url_patterns import UrlPatterns
from gossamer.pipeline.scope.actions import find_action
from gossamer.report.contents import ArchivedMarkup
from gossamer.report.crawled_site import Site
from gossamer.report.references import Outward
from gossamer.report.report_section import Cell, Section


def find_broken_elsewhere(
    outside: Site | None, asked: Collection[str], links: dict[str, Outward]
) -> Section:
    """`outside` is what the answers were; None if nobody asked."""
    return Section(
        "checked-links",
        "Links to elsewhere",
        "Each row is a URL outside of the crawl that links or forms lead to, and that cannot be read. 401, "
        "403 and 429 may be meant for programs only: look at them in a browser.",
        (
            "url",
            "problem",
            "links",
            "text",
            "kind",
            "redirects to",
            "a page",
            "linked as",
            "detail",
        ),
        []
        if outside is None
        else sorted(_rows(outside, asked, links), key=lambda row: str(row[0])),
        _remark(outside, len(asked), len(links)),
    )


def _rows(
    outside: Site, asked: Collection[str], links: dict[str, Outward]
) -> Iterator[tuple[Cell, ...]]:
    for url in asked:
        trail = outside.follow(url)
        end = outside.get(trail.end)
        trouble = outside.trouble_of(url, links[url].kind) if end else "no_answer"
        if trouble:
            link, by_way_of = links[url], trail.end if trail.steps else ""
            detail = end.detail if end else ""
            row = url, trouble, link.count, link.anchor, link.kind, by_way_of, link.page
            yield *row, link.linked, detail


def _remark(outside: Site | None, asked: int, known: int) -> str:
    if outside is None:
        return f"URLs outside of the crawl: {known:,}. --check-external requests each of them once."
    left = f" {known - asked:,} more were not checked." if known > asked else ""
    return f"URLs asked for: {asked:,}.{left} URLs that robots.txt forbids were not checked."


def outward_links(
    links: dict[str, Outward], site: Site, contents: ArchivedMarkup, excluded: UrlPatterns
) -> dict[str, Outward]:
    """All that may be asked for outside of the crawl: links, and forms that are sent by GET.

    What looks as if it changes something is left out.
    """
    found = {url: link for url, link in links.items() if _is_harmless(url, link.anchor)}
    for (target, method), use in contents.forms.items():
        is_new = (
            method == "get"
            and not excluded.find(target)
            and site.get(target) is None
            and target not in found
        )
        if is_new and _is_harmless(target, ""):
            found[target] = Outward(use.page, "", "form", use.count)
    return found


def _is_harmless(url: str, anchor: str) -> bool:
    """
    >>> _is_harmless("http://a.example/search", ""), _is_harmless("http://a.example/node/5/delete", "")
    (True, False)
    """
    target = parse(url)
    return target is not None and not find_action(Link("", target, anchor=anchor))
