"""DUST, different URLs with similar text (Bar-Yossef, Keidar and Schonfeld, 2007): rules per host.

In: pages, each with the URL where its text was met before. Out: one spelling for URLs that lead to the
same text, before anybody asks whether a URL is known.

    pairs with the same text ─▶ guess ─▶ suspected ─▶ tried on samples ─▶ in use ─▶ audited
                                                  ▲         └─▶ refuted ◀──────────────┘
                                                  └── several times as many pairs ──┘

A rule is suspected from one pair on, tried when several pairs speak for it and few for a rival, and used
when samples, fetched under both spellings, say the same. While it is in use, a URL is fetched under both now
and then. Pages have counters, dates and advertisements: what is nearly the same says nothing, and one sample
that differs asks for ten that agree. A rule that fails is given up, until it has four times as many pairs.

What a rule respells is *folded*: kept on disk in its own spelling (`redundancy/folded.py`,
`redundancy/unfolding.py`). When a rule is given up, what it folded is released. When nothing else is
left, samples of it are fetched: two that bring something new among few that do not are the end of the
rule, whatever its samples said before.

Invariants: seeds and what a redirect leads to are never respelled, because a server that sends us to a
spelling means it; a spelling that is out of scope is not used.
"""

from gossamer.analyzers.redundancy.dust.dust_detection import Dust, Respelled
from gossamer.analyzers.redundancy.dust.rule import (
    Name,
    RuleKind,
    RuleStage,
    RuleState,
    SpellingRule,
    apply,
    describe,
)

__all__ = [
    "Dust",
    "Name",
    "Respelled",
    "RuleKind",
    "RuleStage",
    "RuleState",
    "SpellingRule",
    "apply",
    "describe",
]
