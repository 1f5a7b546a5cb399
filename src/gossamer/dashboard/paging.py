"""Long lists, some rows at a time."""

from typing import Annotated

from msgspec import Meta, Struct

ROWS = 50
"""Rows of a page of a list."""

PageNumber = Annotated[int, Meta(ge=1, le=1_000_000_000)]
"""Which page of a list is wanted, from 1 on."""
Text = Annotated[str, Meta(max_length=4000)]
"""A search text."""


class Paging(Struct, frozen=True):
    """The position in a list: page and size."""

    page: int
    pages: int
    """There is one at least."""
    total: int
    """Rows of the whole list."""
    unread: int = 0
    """Files of the table that are not read yet: the list is not whole before."""

    @property
    def begin(self) -> int:
        """The number of the first row on the page."""
        return (self.page - 1) * ROWS


def page_of(page: int, total: int, unread: int = 0) -> Paging:
    """
    >>> page_of(2, 120)
    Paging(page=2, pages=3, total=120, unread=0)
    """
    return Paging(page, max(1, -(-total // ROWS)), total, unread)
