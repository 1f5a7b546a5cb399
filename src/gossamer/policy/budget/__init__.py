"""Budgets of domains: STAR reputation, BEAST deferral.

A handful of spammed domains, each with endless host names and endless pages, can eat up a crawl;
IRLbot's answer (Lee et al., WWW 2008, sections 5 and 6) is a budget for every pay-level domain (PLD:
a name that is registered and paid for), which grows with the number of other such domains that
link to it.

    links of pages read ──▶ Star.observe ──▶ in-degrees ──▶ ranking ──▶ budgets
                                                                           │
    new candidates ──▶ Admission.admit ──▶ Beast: rounds c+1 … c+j-1, QF ◀─┘
                                             │
                            round c ─────────┴──▶ candidates for the frontier

In: candidates that the seen test found new, and pairs of hosts, linking and linked to.
Out: the same candidates, each exactly once, when the round comes that they wait for.
The queues are filled by `Beast.file`, emptied by `Beast.release`; QF is filled by either `file` or
`split`, and emptied by `split`.

Where to look: `domain_degrees` and `drum_degrees` count unique edges, `ranking` knows the top domains,
`budget_functions` turns a standing into a budget, `star` joins these; `rounds` says which round a URL waits
for, `queue_protocol` and `record_queues` keep the records, `beast` moves them; `delays` scales politeness
with the budget; `admission` is what the ring sees, `admission_opening` puts it together;
`budget_checkpoint` is for reading without changing anything.

Invariants: no URL is dropped or doubled; no domain has more URLs in a round than its budget, unless
nobody else waited when QF was split; URLs of one domain keep their order; a checkpoint names a
state that can be gone back to until the next one is published.

One deviation from the paper: after a pass it splits QF over the j new queues only, and new URLs may
overtake those in QF. Here a domain with URLs in QF gets no seat before it is split, and then all
open rounds are filled from the front. Traffic keeps within the same bound.
"""

from gossamer.policy.budget.admission import (
    BUSY,
    Admission,
    BudgetedAdmission,
    BudgetStatistics,
    FreeAdmission,
    has_budgets,
)
from gossamer.policy.budget.admission_opening import open_admission
from gossamer.policy.budget.beast import Beast
from gossamer.policy.budget.budget_checkpoint import read_delays
from gossamer.policy.budget.budget_functions import BudgetFunction, DomainStanding, find_function
from gossamer.policy.budget.delays import Delays, delays, longest_round
from gossamer.policy.budget.domain_degrees import Edge, InDegrees, MemoryInDegrees, domain_id
from gossamer.policy.budget.drum_degrees import DrumInDegrees
from gossamer.policy.budget.queue_protocol import MemoryQueueStore, QueueStore, RecordQueue
from gossamer.policy.budget.ranking import Grown, Ranking
from gossamer.policy.budget.record_queues import DiskQueueStore
from gossamer.policy.budget.star import Star, TopDomain

__all__ = [
    "BUSY",
    "Admission",
    "Beast",
    "BudgetFunction",
    "BudgetStatistics",
    "BudgetedAdmission",
    "Delays",
    "DiskQueueStore",
    "DomainStanding",
    "DrumInDegrees",
    "Edge",
    "FreeAdmission",
    "Grown",
    "InDegrees",
    "MemoryInDegrees",
    "MemoryQueueStore",
    "QueueStore",
    "Ranking",
    "RecordQueue",
    "Star",
    "TopDomain",
    "delays",
    "domain_id",
    "find_function",
    "has_budgets",
    "longest_round",
    "open_admission",
    "read_delays",
]
