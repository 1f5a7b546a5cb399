"""Redirects that take more than one step, or never end."""

from gossamer.report.crawled_site import Site, Trail
from gossamer.report.references import References
from gossamer.report.report_section import Section


def find_redirect_chains(site: Site, references: References) -> Section:
    inner = {page.redirect_to for page in site if page.redirect_to}
    rows = []
    for page in site:
        trail = site.follow(page.url)
        is_first = page.url not in inner or bool(references.counts[page.url]) or page.is_seed
        if trail.is_endless or (trail.steps > 1 and is_first):
            rows.append(_describe(site, references, trail))
    return Section(
        "redirect-chains",
        "Redirect chains",
        "Each row is a URL with a chain of two or more redirects, or a redirect loop. Redirect it "
        "to the last URL directly, and change links to that URL.",
        ("url", "steps", "way", "end", "links to it", "a page that links to it"),
        sorted(rows, key=lambda row: (-int(row[1] or 0), str(row[0]))),
    )


def _describe(
    site: Site, references: References, trail: Trail
) -> tuple[str, int, str, str, int, str]:
    url, end = trail.urls[0], site.get(trail.end)
    said = "circle" if trail.is_endless else "not visited"
    if end is not None and not trail.is_endless:
        said = end.trouble or str(end.status or end.outcome)
    way = " → ".join(trail.urls)
    return url, trail.steps, way, said, references.counts[url], references.first.get(url, "")
