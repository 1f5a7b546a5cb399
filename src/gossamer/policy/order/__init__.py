"""Which page first: a score for every candidate, a level for every score.

An order is any callable from a `Candidate` to a number between 0 (last) and 1 (first). The
frontier has a fixed number of levels; `to_levels` spreads the scores over them.
"""

from gossamer.policy.order.breadth_first import BreadthFirst
from gossamer.policy.order.levels import Order, to_levels

__all__ = ["BreadthFirst", "Order", "to_levels"]
