"""Estimate the new content behind each URL, learned while the crawl runs.

In: pages that were read, with what was new in them, and new URLs with the pages that name them. Out: for each
URL by how many levels it comes after others.

`clues` reads what a URL and its link say. `context` packs the link into a number that travels with the URL.
`estimate` learns what clues are worth. `url_worth` joins them: it measures pages, and turns what is
expected into levels; `narrowing` tells which links only narrow a list. `explanation` says it in words.

Nothing is held here: a URL of which nothing is expected is fetched when its host has nothing better, and a
share of all fetches goes to such URLs anyhow.
"""

from gossamer.analyzers.redundancy.worth.context import name_pattern, pack_context
from gossamer.analyzers.redundancy.worth.estimate import Estimate, Reason
from gossamer.analyzers.redundancy.worth.explanation import explain
from gossamer.analyzers.redundancy.worth.url_worth import FEW_WORDS, LEVELS, Worth, measure

__all__ = [
    "FEW_WORDS",
    "LEVELS",
    "Estimate",
    "Reason",
    "Worth",
    "explain",
    "measure",
    "name_pattern",
    "pack_context",
]
