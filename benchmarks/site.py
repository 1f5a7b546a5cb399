"""Whole sites on loopback, crawled by Gossamer with everything on and by its peers, in turns, in one run.

    python -m benchmarks.site [--rounds 3]

All are real processes from start to end. `pages/s` counts from the crawl's own start where a crawler says
when that was (Gossamer, Scrapy), otherwise from the start of the process; `pages/CPU s` is for the whole
process, start-up included, so that small sites say more about starting, large ones more about crawling;
`running` is the same without what the crawler takes for a single page.
"""

import argparse
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from statistics import median

from benchmarks.limit import fetch_all
from benchmarks.peers import Figures, gossamer, peers
from benchmarks.report import Row, print_rows
from benchmarks.sites import available, documentation, has_nginx, simulated

_SLOW = {"scrapy", "wget", "httrack"}
"""Crawlers that take a minute where the others take seconds: one round will do, and small sites."""
_SMALL = 2000

Contest = tuple[str, str, Callable[[], Figures]]


def measure(rounds: int = 3) -> list[Row]:
    """Every crawler on every site, the rounds interleaved; the median of each figure."""
    runs: dict[tuple[str, str], list[Figures]] = {}
    with ExitStack() as stack:
        contests = list(_contests(stack))
        for number in range(rounds):
            for site, name, contest in contests:
                if number == 0 or name not in _SLOW:
                    runs.setdefault((site, name), []).append(contest())
    return [
        Row("site", site, name, {key: median(one[key] for one in found) for key in found[0]})
        for (site, name), found in runs.items()
    ]


def _contests(stack: ExitStack) -> Iterator[Contest]:
    others = peers()
    for site in available():
        start = stack.enter_context(documentation(site.folder))
        yield site.name, "gossamer", partial(gossamer, start)
        yield site.name, "libcurl alone", partial(fetch_all, start, site.folder)
        for name, peer in others.items():
            if name not in _SLOW or site.pages <= _SMALL:
                yield site.name, name, partial(peer, start)
    if has_nginx():
        root = stack.enter_context(simulated())
        yield "simulated", "gossamer", partial(gossamer, root)
        for name, peer in others.items():
            yield "simulated", name, partial(peer, root)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    print_rows(measure(parser.parse_args().rounds))


if __name__ == "__main__":
    main()
