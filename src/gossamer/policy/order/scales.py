"""Scales that spread scores over levels; a policy names the one that suits its scores."""

from msgspec import Struct


class Fixed(Struct, frozen=True, tag=True):
    """Evenly between two ends."""

    best: float = 1.0
    worst: float = 0.0


class Steps(Struct, frozen=True, tag=True):
    """One level for each whole step down from the best; the last level takes all that is lower."""

    best: float = 0.0


class Climb(Struct, frozen=True, tag=True):
    """One level for each whole step up from the worst; the first level takes all that is higher."""

    worst: float = 0.0


class Adaptive(Struct, frozen=True, tag=True):
    """By rank among recent scores: the best level for very few, each next one for some more.

    Of F levels, the best k hold a share of (k/F)^power. Importance on the web follows power laws, so
    that it pays to tell the few best pages apart, and the many others less. The default did best on cnr-2000
    (docs/decisions/0013-orders-in-arrays.md).
    """

    power: float = 1.5


Scale = Fixed | Steps | Climb | Adaptive
