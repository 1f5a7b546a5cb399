"""From the records of the ring to the batches of a policy; only what the policy needs is filled in."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import numpy as np
import xxhash

from gossamer.core.records import Candidate, Document, Link
from gossamer.core.url import Url
from gossamer.policy.order.policy_batches import NO_KEYS, NO_NUMBERS, Crawled, Keys, Needs, Waiting


@lru_cache(maxsize=1 << 16)
def name_key(name: str) -> int:
    """The number of a host or a domain: the 64-bit XXH3 hash of its name."""
    return xxhash.xxh3_64_intdigest(name.encode())


def gather_waiting(candidates: Sequence[Candidate], needs: Needs) -> Waiting:
    """New pages, for `Policy.score`.

    >>> from gossamer.core.url import parse
    >>> gather_waiting([Candidate(parse("http://a.test/"), depth=2)], Needs.NOTHING).depths.tolist()
    [2]
    """
    with_sites, with_words = Needs.SITES in needs, Needs.WORDS in needs
    return Waiting(
        _keys(candidate.url.key for candidate in candidates),
        np.array([candidate.depth for candidate in candidates], np.int64),
        _names((one.url.host for one in candidates) if with_sites else ()),
        _names((one.url.domain for one in candidates) if with_sites else ()),
        [candidate.url.text for candidate in candidates] if with_words else (),
        [candidate.anchor for candidate in candidates] if with_words else (),
        candidates if Needs.CANDIDATES in needs else (),
    )


def gather_crawled(
    pages: Sequence[tuple[Document, Sequence[Link]]],
    needs: Needs,
    owner: Callable[[str], int] | None = None,
) -> Crawled:
    """Fetched pages, each with those of its links that count, for `Policy.learn`.

    Which links count is for the caller to say: those that are to be followed, and where a
    redirect leads. `owner` says which partition has a host; without it all are our own.
    """
    urls = [document.page.visit.url for document, _ in pages]
    links = [link for _, some in pages for link in some]
    with_sites, with_words = Needs.SITES in needs, Needs.WORDS in needs
    with_text = Needs.TEXT in needs
    return Crawled(
        _keys(url.key for url in urls),
        np.cumsum([0, *(len(some) for _, some in pages)]),
        _keys(link.target.key for link in links),
        _names(_hosts(urls) if with_sites else ()),
        _names((link.target.host for link in links) if with_sites else ()),
        [link.target.text for link in links] if with_words else (),
        [link.anchor for link in links] if with_words else (),
        [document.title for document, _ in pages] if with_text else (),
        [document.text for document, _ in pages] if with_text else (),
        np.array([owner(link.target.host) for link in links], np.int64) if owner else NO_NUMBERS,
    )


def _hosts(urls: Iterable[Url]) -> Iterable[str]:
    return (url.host for url in urls)


def _keys(numbers: Iterable[int]) -> Keys:
    return np.fromiter(numbers, np.uint64)


def _names(names: Iterable[str]) -> Keys:
    keys = np.fromiter(map(name_key, names), np.uint64)
    return keys if len(keys) else NO_KEYS
