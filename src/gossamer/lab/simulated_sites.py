"""The hosts of a web: how many pages each has, what it is about, where it lives."""

from gossamer.core.errors import SettingsError
from gossamer.lab.host_names import host_names
from gossamer.lab.vocabulary import TOPICS


class Sites:
    """The tables a web needs: one row per host, largest host first.

    Sizes follow Zipf's law: the host of rank r has about 1/r of the pages of the first one.
    Topics go round, so that hosts of one topic are `len(TOPICS)` apart.

    >>> sites = Sites(seed=7, pages=1000, hosts=10)
    >>> sum(sites.sizes), sites.sizes[0] > 5 * sites.sizes[9]
    (1000, True)
    """

    def __init__(self, seed: int, pages: int, hosts: int) -> None:
        if hosts < 1:
            raise SettingsError(f"a web has at least one host, not {hosts}")
        if pages < hosts:
            raise SettingsError(f"{pages} pages are too few for {hosts} hosts: give each host one")
        self.names = host_names(seed, hosts)
        self.sizes = _zipf_sizes(pages, hosts)
        self.number = {name: site for site, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)


def topic_of(site: int) -> int:
    """The main topic of a host."""
    return site % len(TOPICS)


def _zipf_sizes(pages: int, hosts: int) -> list[int]:
    """Sizes that add up to `pages`, each at least 1 and none larger than the one before."""
    total = sum(1.0 / rank for rank in range(1, hosts + 1))
    share = (pages - hosts) / total
    sizes = [1 + int(share / rank) for rank in range(1, hosts + 1)]
    left_over = pages - sum(sizes)
    assert 0 <= left_over <= hosts, "rounding down loses less than one page per host"
    for site in range(left_over):
        sizes[site] += 1
    return sizes
