"""A reader who goes through a generated site by useful pages only."""

from collections import deque

from benchmarks.generated_sites import GeneratedSite, SitePage


def walk(site: GeneratedSite) -> dict[str, SitePage]:
    """The useful pages that links lead to from the start, by target."""
    found: dict[str, SitePage] = {}
    met, waiting = {site.start}, deque([site.start])
    while waiting:
        target = waiting.popleft()
        page = site.page(target)
        if page is None or not page.is_useful:
            continue
        found[target] = page
        links = [*page.menu, *page.links]
        for link in links:
            if link.target not in met and "nofollow" not in link.rel:
                met.add(link.target)
                waiting.append(link.target)
    return found


def items_of(pages: dict[str, SitePage]) -> set[str]:
    return {page.item for page in pages.values() if page.item}
