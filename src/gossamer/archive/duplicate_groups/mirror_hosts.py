"""Hosts that have like pages on the same paths."""

from collections import Counter

from msgspec import Struct

from gossamer.archive.duplicate_groups.duplicate_rows import Alike
from gossamer.core.url import parse


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
    """Counts what pairs of hosts have in common."""

    def __init__(self) -> None:
        self._alike: Counter[tuple[str, str]] = Counter()
        self._same_paths: Counter[tuple[str, str]] = Counter()

    def add(self, page: Alike) -> None:
        url, first = parse(page.url), parse(page.first)
        if url is None or first is None or url.host == first.host:
            return
        pair = (min(url.host, first.host), max(url.host, first.host))
        self._alike[pair] += 1
        self._same_paths[pair] += url.path == first.path

    def found(self, pages: Counter[str], share: float) -> list[Mirror]:
        """Pairs that share at least this part of their pages, those first that share the most pages."""
        pairs = [self._describe(pair, pages) for pair in self._alike]
        mirrors = [mirror for mirror in pairs if mirror.same_paths and mirror.share >= share]
        return sorted(mirrors, key=lambda mirror: (-mirror.same_paths, mirror.hosts))

    def _describe(self, pair: tuple[str, str], pages: Counter[str]) -> Mirror:
        one, other = (pages[host] for host in pair)
        same = self._same_paths[pair]
        part = min(1.0, same / max(1, min(one, other)))
        return Mirror(pair, (one, other), self._alike[pair], same, round(part, 3))
