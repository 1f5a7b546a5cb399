"""The answer to one question about a site."""

from collections.abc import Sequence

from msgspec import Struct

Cell = str | int | float | None


class Section(Struct, frozen=True):
    """A table, with the words around it.

    >>> Section("depth", "How deep pages lie", "Links from a seed.", ("depth", "pages"), [(0, 1)]).count
    1
    """

    name: str
    """The name of its CSV file, and on the command line."""
    title: str
    meaning: str
    """What a row is, and what to do about it."""
    columns: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    remark: str = ""
    """What was left out, and why; empty if nothing was."""
    picture: str = ""
    """SVG, if there is one."""
    total: int | None = None
    """What the rows add up to, where each of them is a count."""

    @property
    def count(self) -> int:
        """The number of findings, as in the title."""
        return len(self.rows) if self.total is None else self.total
