"""A reader who goes through a generated site by useful pages only."""

from collections import deque

from gossamer.lab.applications import GeneratedSite, SitePage


def walk(site: GeneratedSite) -> dict[str, SitePage]:
    """The useful pages that links lead to from the start, by target."""
    found: dict[str, SitePage] = {}
    waiting = deque([site.start])
    while waiting:
        target = waiting.popleft()
        page = site.page(target)
        if target in found or page is None or not page.is_useful:
            continue
        found[target] = page
        links = [*page.menu, *page.links]
        waiting.extend(link.target for link in links if "nofollow" not in link.rel)
    return found


def items_of(pages: dict[str, SitePage]) -> set[str]:
    return {page.item for page in pages.values() if page.item}
