"""Which links lead to nothing?"""

from gossamer.report.references import References
from gossamer.report.section import Section
from gossamer.report.site import Site


def find_broken_links(site: Site, references: References) -> Section:
    rows = []
    for link in references.to_trouble:
        trail = site.follow(link.target)
        end = site.get(trail.end)
        trouble = "redirect_loop" if trail.is_endless else end.trouble if end is not None else ""
        by_way_of = trail.end if trail.steps else ""
        rows.append((link.source, link.target, trouble, link.anchor, link.kind, by_way_of))
    return Section(
        "broken-links",
        "Broken links",
        "Each row is a link to something that cannot be read: the status of the answer, or what went wrong "
        "instead of one. soft_error: the answer looks like the one to names that do not exist. "
        "Mend the link on its page, or what it leads to.",
        ("page", "link", "problem", "text", "kind", "redirects to"),
        sorted(rows, key=lambda row: (row[1], row[0])),
        _unchecked(references.unchecked),
    )


def _unchecked(links: int) -> str:
    if not links:
        return ""
    return (
        f"Links to what the crawl has not visited: {links:,}. Nothing is said of them. "
        "A crawl with a wider --scope looks at links to other hosts, too, and one with --page-requisites "
        "at pictures, scripts and styles."
    )
