"""Importance of pages, once all of a web is known: IB, IR and IS (Cho et al. 1998)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gossamer.core.errors import SettingsError
from gossamer.lab.crawl_orders.known_web import LabGraph
from gossamer.policy.order.policy_batches import Scores
from gossamer.policy.order.random_surfer import rank_pages
from gossamer.policy.order.word_similarity import OrderVocabulary

Flags = NDArray[np.bool_]


def backlinks(graph: LabGraph) -> Scores:
    """IB: how many other pages link to each page.

    >>> backlinks(LabGraph(np.array([0, 2, 3, 3]), np.array([1, 2, 2]))).tolist()
    [0.0, 1.0, 2.0]
    """
    return np.bincount(graph.without_self_links().targets, minlength=len(graph)).astype(float)


def pagerank(graph: LabGraph, damping: float = 0.9) -> Scores:
    """IR: PageRank with a mean of 1; pages without links count as linking to all."""
    graph = graph.without_self_links()
    nodes = np.arange(len(graph), dtype=np.int32)
    targets = graph.targets.astype(np.int32)
    start = np.ones(len(graph))
    return rank_pages(
        nodes, graph.offsets, targets, start, damping, tolerance=1e-7, most_steps=300
    )[0]


def similar(graph: LabGraph, words: Sequence[str], often: int = 10) -> Flags:
    """IS as a yes or no: a word is in the title, or stands `often` times in the text."""
    if not graph.texts:
        raise SettingsError("this web has no texts, so importance by topic cannot be measured")
    vocabulary = OrderVocabulary(words)
    return np.array(
        [
            vocabulary.total(title) > 0 or vocabulary.total(text) >= often
            for title, text in zip(graph.titles, graph.texts, strict=True)
        ],
        np.bool_,
    )
