"""A small web that is fed to a policy batch by batch, as a crawl would."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from gossamer.policy.order import Crawled, Policy, Revised, Scores, Waiting

Links = Mapping[int, Sequence[int]]


def keys(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.uint64)


def waiting(
    *pages: int,
    depth: int = 1,
    hosts: Sequence[int] = (),
    urls: Sequence[str] = (),
    anchors: Sequence[str] = (),
) -> Waiting:
    places = keys(*(hosts or [0] * len(pages)))
    return Waiting(
        keys(*pages),
        np.full(len(pages), depth),
        places,
        places,
        urls or [f"http://h.test/{page}" for page in pages],
        anchors or [""] * len(pages),
    )


def crawled(
    links: Links,
    *,
    hosts: Mapping[int, int] | None = None,
    anchors: Mapping[tuple[int, int], str] | None = None,
    titles: Mapping[int, str] | None = None,
    texts: Mapping[int, str] | None = None,
) -> Crawled:
    hosts, anchors, titles, texts = hosts or {}, anchors or {}, titles or {}, texts or {}
    pairs = [(page, target) for page, targets in links.items() for target in targets]
    return Crawled(
        keys(*links),
        np.cumsum([0, *map(len, links.values())]),
        keys(*(target for _, target in pairs)),
        keys(*(hosts.get(page, 0) for page in links)),
        keys(*(hosts.get(target, 0) for _, target in pairs)),
        [f"http://h.test/{target}" for _, target in pairs],
        [anchors.get(pair, "") for pair in pairs],
        [titles.get(page, "") for page in links],
        [texts.get(page, "") for page in links],
    )


def scores_of(revised: Revised) -> dict[int, float]:
    return dict(zip(revised.keys.tolist(), revised.scores.tolist(), strict=True))


def random_links(pages: int, seed: int = 0) -> dict[int, list[int]]:
    random = np.random.default_rng(seed)
    return {
        page: random.integers(pages, size=int(random.integers(0, 8))).tolist()
        for page in range(pages)
    }


def feed(policy: Policy, links: Links, batch: int = 7) -> Iterator[tuple[Scores, dict[int, float]]]:
    """Fetch all pages in the order of their numbers; yields what the policy says after each batch.

    All pages wait from the start; page 0 is the seed.
    """
    hosts = {page: page % 5 for page in links}
    pages = [*links]
    policy.score(waiting(pages[0], depth=0))
    policy.score(waiting(*pages[1:], hosts=[hosts[page] for page in pages[1:]]))
    new = max(pages) + 1
    for begin in range(0, len(pages), batch):
        part = {page: links[page] for page in pages[begin : begin + batch]}
        texts = {page: "tide " * page for page in part}
        policy.learn(crawled(part, hosts=hosts, texts=texts, anchors={(0, 1): "low tide"}))
        scores = policy.score(waiting(new + begin, hosts=[begin % 5]))
        yield scores, scores_of(policy.revised())
