"""Crawl orders: a score for every waiting page, a level for every score.

In: batches of pages that were fetched, with their links (`Crawled`), and of pages that are new
(`Waiting`). Out: scores for the new ones, and other scores for pages that wait already (`Revised`).

`order_protocol.py` is the contract, `policy_batches.py` the arrays, `batch_gathering.py` makes them from
the ring's records. `levels.py` turns scores into one of the frontier's front queues, on the scale that
the policy names (`scales.py`). `crawl_ordering.py` is a policy at work in a crawl, with its state on
disk. `order_registry.py` makes policies by name. `function_order.py` makes one of a plain function from a
`Candidate` to a number; `guarded_order.py` puts up with what a policy of a program raises.

The policies have a file each: `breadth_first`, `random_order`, `site_orders`, `domain_caps`, `location`,
`backlinks`, `pagerank`, `site_rank`, `opic`, `drum_backlink`, `drum_opic`, `similarity`,
`two_queues`, `combination`, `ranks`. What they know about pages are columns of arrays, by a dense number for
each key (`roster.py`); `policy_pages.py` knows which of them wait and what was told of them,
`linkrows.py` who links to whom, `random_surfer.py` the random surfer, `bank.py` OPIC's virtual page,
`drum_accounts.py` what orders on disk have in common, `around.py` what orders around others have.
`rank_updates.py` is what goes between partitions, `pending_updates.py` what is still to be sent.

Invariants: a score is revised only while its page waits; a dump holds all that was learned, so that a
policy that loads it goes on as if nothing had happened; the order of calls is all that decides; what was
sent to another partition is no longer kept here.
"""

from gossamer.policy.order.batch_gathering import gather_crawled, gather_waiting, name_key
from gossamer.policy.order.breadth_first import BreadthFirst, DepthFirst
from gossamer.policy.order.crawl_ordering import Ordering
from gossamer.policy.order.function_order import Function, Order, is_policy
from gossamer.policy.order.guarded_order import Guarded
from gossamer.policy.order.levels import Levels, make_levels
from gossamer.policy.order.order_protocol import OrderStatistics, Policy, can_travel
from gossamer.policy.order.order_registry import ORDERS, OrderPlace, describe_orders, make_order
from gossamer.policy.order.policy_batches import (
    NOTHING_REVISED,
    Crawled,
    Keys,
    Needs,
    Revised,
    Scores,
    Waiting,
)
from gossamer.policy.order.rank_updates import RankUpdate
from gossamer.policy.order.scales import Adaptive, Climb, Fixed, Scale, Steps

__all__ = [
    "NOTHING_REVISED",
    "ORDERS",
    "Adaptive",
    "BreadthFirst",
    "Climb",
    "Crawled",
    "DepthFirst",
    "Fixed",
    "Function",
    "Guarded",
    "Keys",
    "Levels",
    "Needs",
    "Order",
    "OrderPlace",
    "OrderStatistics",
    "Ordering",
    "Policy",
    "RankUpdate",
    "Revised",
    "Scale",
    "Scores",
    "Steps",
    "Waiting",
    "can_travel",
    "describe_orders",
    "gather_crawled",
    "gather_waiting",
    "is_policy",
    "make_levels",
    "make_order",
    "name_key",
]
