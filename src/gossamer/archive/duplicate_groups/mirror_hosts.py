"""Hosts that have like pages on the same paths."""

from collections import Counter, defaultdict
from itertools import combinations

from msgspec import Struct

from gossamer.archive.duplicate_groups.duplicate_rows import Alike
from gossamer.core.url import parse

_MOST_HOSTS = 32
"""Hosts of one group of like pages that are compared with each other, those first that come first."""


class Mirror(Struct, frozen=True):
    """Two hosts with much in common."""

    hosts: tuple[str, str]
    pages: tuple[int, int]
    """Pages fetched of each."""
    alike: int
    """Pages of one that are like a page of the other …"""
    same_paths: int
    """… and those of them that have its path as well."""
    share: float
    """The part of the smaller host's pages that are alike on the same path."""


class MirrorHosts:
    """Counts what pairs of hosts have in common.

    All pages of a group are like each other, so it does not matter which of them was met first.
    """

    def __init__(self) -> None:
        self._groups: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)
        """Paths by host, of all pages that are like the page with this URL, itself included."""

    def add(self, page: Alike) -> None:
        if page.first not in self._groups:
            self._enter(page.first, page.first)
        self._enter(page.first, page.url)

    def found(self, pages: Counter[str], share: float) -> list[Mirror]:
        """Pairs that share at least this part of their pages, those first that share the most pages."""
        alike: Counter[tuple[str, str]] = Counter()
        same_paths: Counter[tuple[str, str]] = Counter()
        for hosts in self._groups.values():
            for one, other in combinations(list(hosts)[:_MOST_HOSTS], 2):
                pair = (min(one, other), max(one, other))
                alike[pair] += max(len(hosts[one]), len(hosts[other]))
                same_paths[pair] += len({*hosts[one]} & {*hosts[other]})
        pairs = [
            _describe(pair, pages, alike[pair], same) for pair, same in same_paths.items() if same
        ]
        mirrors = [mirror for mirror in pairs if mirror.share >= share]
        return sorted(mirrors, key=lambda mirror: (-mirror.same_paths, mirror.hosts))

    def _enter(self, group: str, text: str) -> None:
        url = parse(text)
        if url is not None:
            self._groups[group].setdefault(url.host, []).append(url.path)


def _describe(pair: tuple[str, str], pages: Counter[str], alike: int, same: int) -> Mirror:
    one, other = (pages[host] for host in pair)
    part = min(1.0, same / max(1, min(one, other)))
    return Mirror(pair, (one, other), alike, same, round(part, 3))
