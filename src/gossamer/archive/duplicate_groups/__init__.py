"""Find groups of pages with the same or similar text, and hosts that mirror each other.

In: the `pages` tables of a crawl, read in batches. Out: a `CopiesReport`: the largest groups of pages that
are alike, and pairs of hosts that have like pages on the same paths.

Invariants: nothing is written; what is in memory grows with the number of duplicates, not with that of pages;
what comes out is bounded by what was asked for, and the totals say how much there is.
"""

from gossamer.archive.duplicate_groups.duplicate_report import CopiesReport, find_duplicates
from gossamer.archive.duplicate_groups.mirror_hosts import Mirror
from gossamer.archive.duplicate_groups.near_duplicate_groups import CopyGroup, GroupMember

__all__ = ["CopiesReport", "CopyGroup", "GroupMember", "Mirror", "find_duplicates"]
