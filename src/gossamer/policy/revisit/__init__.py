"""Revisit policies: how often pages change, how visits are shared, which pages show what is new.

    visits ─▶ ChangeModel.learn ─▶ rates ─▶ gather ─▶ solve ─▶ RevisitPlan ─▶ interval of a page
    links to new pages ─▶ choose_hubs ─▶ watch_hubs ─▶ visits of hubs

Time is in days, rates are changes per day, budgets are visits per day. Nothing here knows a clock, a disk
or a URL: pages are rows of arrays, groups of pages are small numbers.

Where to look: `sightings` are the results of visits. `evidence` estimates rates from them, in eight bytes for
each page, `prior` gives the rates of pages that are hardly known, `change_rates` joins both. `population`
are pages and buckets of pages, `policies` what a page gets at a price of a visit, `optimum_equations` the
equations behind it, `revisit_registry` makes policies by name, `guarded_policy` puts up with those of
packages, `visit_plan` finds the price, `host_limits` the prices of hosts that cannot be asked as often as
one would like, `host_prices` learns them from visits that come late, `timetable` goes all the way from
visits to the next ones. `observations` is what hosts say of changes, `honesty` whom to believe,
`listed_changes` what lists said of pages. `goals` says what visits bring. `discovery` chooses pages to
watch for new links. docs/freshness.md has the formulas and the sources.

Invariants: visits that a plan shares are what the budget allows, unless more would be in vain; a dump holds
all that was learned of groups, so that a model that loads it goes on as if nothing had happened.
"""

from gossamer.policy.revisit.change_rates import ChangeModel
from gossamer.policy.revisit.discovery import Hubs, choose_hubs, watch_hubs
from gossamer.policy.revisit.evidence import EVIDENCE_COLUMNS, Evidence, no_evidence
from gossamer.policy.revisit.host_limits import LimitedPlan, solve_limited
from gossamer.policy.revisit.page_groups import groups_of
from gossamer.policy.revisit.policies import Allocation
from gossamer.policy.revisit.population import PageBuckets, Population, describe, gather
from gossamer.policy.revisit.revisit_registry import (
    ALLOCATIONS,
    describe_allocations,
    make_allocation,
)
from gossamer.policy.revisit.revisits import DueAgain, Revisits, check_revisits
from gossamer.policy.revisit.sightings import Sight, Sightings, sight
from gossamer.policy.revisit.timetable import NOT_SEEN, RevisitStatistics, Timetable, VisitedPages
from gossamer.policy.revisit.visit_plan import RevisitPlan, allocate, solve

__all__ = [
    "ALLOCATIONS",
    "EVIDENCE_COLUMNS",
    "NOT_SEEN",
    "Allocation",
    "ChangeModel",
    "DueAgain",
    "Evidence",
    "Hubs",
    "LimitedPlan",
    "PageBuckets",
    "Population",
    "RevisitPlan",
    "RevisitStatistics",
    "Revisits",
    "Sight",
    "Sightings",
    "Timetable",
    "VisitedPages",
    "allocate",
    "check_revisits",
    "choose_hubs",
    "describe",
    "describe_allocations",
    "gather",
    "groups_of",
    "make_allocation",
    "no_evidence",
    "sight",
    "solve",
    "solve_limited",
    "watch_hubs",
]
