"""Pagination: which links of a page lead to the next, the previous and other pages of a list.

In: the tree of a page and its URL. Out: `Pagination`, with absolute URLs. Nothing is learned from hosts: the
reader goes by runs of numbered links (`number_runs`), by links that name a direction (`step_links`), and by
the shape of URLs (`url_numbers`).
"""

from gossamer.items.pagination.pagination import Pagination, read_pagination

__all__ = ["Pagination", "read_pagination"]
