"""All that there is to say about duplicates."""

from collections import Counter
from pathlib import Path

from msgspec import Struct

from gossamer.archive.duplicate_groups.duplicate_rows import read_alike
from gossamer.archive.duplicate_groups.mirror_hosts import Mirror, MirrorHosts
from gossamer.archive.duplicate_groups.near_duplicate_groups import CopyGroup, Groups
from gossamer.core.copies import CopyKind


class CopiesReport(Struct, frozen=True):
    pages: int
    """Pages fetched with status 200, or unchanged since an earlier crawl."""
    alike: dict[str, int]
    """Pages that are like another, by kind: same, text, near; each counts once, as in the crawl's summary."""
    total_groups: int
    groups: list[CopyGroup]
    """The largest of them."""
    total_mirrors: int
    mirrors: list[Mirror]
    """Those with the most pages in common."""


def find_duplicates(
    folder: Path, limit: int, shown: int, share: float, *, is_continuous: bool = False
) -> CopiesReport:
    """Read the `pages` tables in a folder; report at most this many groups, members of each, and pairs.

    Of a crawl that visits pages again (`is_continuous`), the latest version of each page counts.
    """
    pages: Counter[str] = Counter()
    kinds: Counter[str] = Counter({kind.value: 0 for kind in CopyKind})
    groups, mirrors = Groups(), MirrorHosts()
    for page in read_alike(folder, pages, is_continuous):
        kinds[page.kind.value] += 1
        groups.add(page)
        mirrors.add(page)
    found = mirrors.found(pages, share)
    return CopiesReport(
        pages=pages.total(),
        alike=dict(kinds),
        total_groups=len(groups),
        groups=groups.largest(limit, shown),
        total_mirrors=len(found),
        mirrors=found[:limit],
    )
