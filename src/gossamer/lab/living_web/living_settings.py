"""Settings of a living web."""

from msgspec import Struct


class EvolutionSettings(Struct, frozen=True):
    """Shares and rates from which the fates of pages are drawn; times are in days."""

    span: float = 365.0
    """Days in which new pages are born, evenly. Later only what is there goes on."""
    newborn: float = 0.4
    """The share of pages that are born within the span; the others are there from the beginning."""
    lost_a_year: float = 0.4
    """The share of pages that vanish within a year of their life."""
    moved_a_year: float = 0.05
    slowest: float = 0.002
    """Changes a day of the slowest pages that change at all."""
    fastest: float = 20.0
    apart: float = 0.1
    """The share of new pages that no hub announces: only their parent in the tree of the host does."""
    kinds: tuple[float, ...] = (0.15, 0.45, 0.15, 0.08, 0.07, 0.10)
    """The shares of still, steady, office, daily, weekly and bursting pages (`Rhythm`)."""
    alike: float = 0.25
    """How much the pages of a host are alike in their rates: 0 not at all, 1 all have the same rate."""
