"""Ways to share visits by name: `freshness`, `capture:sure=0.7`.

A package adds its own with entry points in the group `gossamer.revisit_policies`: a callable whose
parameters are numbers, the options, and that makes an `Allocation`.
"""

import inspect
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

from gossamer.core.entry_points import find_entry_points
from gossamer.core.errors import SettingsError
from gossamer.core.mistakes import Mistakes
from gossamer.policy.revisit.guarded_policy import GuardedAllocation
from gossamer.policy.revisit.policies import (
    Age,
    Allocation,
    Freshness,
    Harmonic,
    LastingContent,
    Proportional,
    RateBuckets,
    Uniform,
    UpdateCapture,
)

_Maker = Callable[..., Allocation]


class KnownAllocation(NamedTuple):
    """The module of an allocation, and its purpose."""

    make: _Maker
    about: str


ALLOCATIONS: dict[str, KnownAllocation] = {
    "uniform": KnownAllocation(Uniform, "all pages alike"),
    "proportional": KnownAllocation(Proportional, "the more changes, the more visits"),
    "freshness": KnownAllocation(Freshness, "most copies up to date (Cho, Garcia-Molina)"),
    "age": KnownAllocation(Age, "copies out of date for the shortest time (Cho, Garcia-Molina)"),
    "content": KnownAllocation(
        LastingContent, "most content up to date, by its lifetime (Olston, Pandey)"
    ),
    "capture": KnownAllocation(UpdateCapture, "most updates seen, few useless visits"),
    "harmonic": KnownAllocation(Harmonic, "each missed change costs less (Kolobov and others)"),
    "buckets": KnownAllocation(RateBuckets, "freshness for groups of rates (WebFountain)"),
}


@lru_cache(64)
def make_allocation(text: str) -> Allocation:
    """The way to share that a text describes; a mistake in it is one clear `SettingsError`.

    >>> type(make_allocation("capture:sure=0.7")).__name__
    'UpdateCapture'
    >>> make_allocation("freshnes")
    Traceback (most recent call last):
    gossamer.core.errors.SettingsError: there is no revisit policy freshnes; did you mean freshness?
    """
    name, _, options = text.partition(":")
    name = name.strip()
    if name in ALLOCATIONS:
        return _make(name, options, ALLOCATIONS[name].make)
    return _make_installed(name, options)


def _make_installed(name: str, options: str) -> Allocation:
    """One of another package: what it raises later does not end the crawl."""
    installed = {entry.name: entry for entry in find_entry_points("gossamer.revisit_policies")}
    if name not in installed:
        hint = _hint(name, [*ALLOCATIONS, *installed])
        raise SettingsError(f"there is no revisit policy {name or repr('')}; {hint}")
    try:
        allocation = _make(name, options, installed[name].load())
    except SettingsError:
        raise
    except Exception as error:  # code of a package: it may raise anything
        raise SettingsError(
            f"the revisit policy {name} cannot be loaded ({error}); repair or remove its package"
        ) from None
    return GuardedAllocation(allocation, Mistakes())


def _make(name: str, options: str, maker: _Maker) -> Allocation:
    known = list(inspect.signature(maker).parameters)
    given: dict[str, float] = {}
    for option in options.split(",") if options.strip() else ():
        key, _, value = (part.strip() for part in option.partition("="))
        if key not in known:
            raise SettingsError(
                f"the revisit policy {name} has no option {key!r}; {_hint(key, known)}"
            )
        given[key] = _number(f"{name}:{key}", value)
    return maker(**given)


def _number(what: str, value: str) -> float:
    try:
        if isfinite(number := float(value)) and number >= 0:
            return number
        raise ValueError
    except ValueError:
        raise SettingsError(f"{what}: {value!r} is not a number from 0 on") from None


def describe_allocations() -> Iterator[tuple[str, str, str]]:
    """Name, options with their defaults, and meaning of every way to share, for people."""
    for name, known in ALLOCATIONS.items():
        parameters = inspect.signature(known.make).parameters.values()
        yield name, ",".join(f"{one.name}={one.default:g}" for one in parameters), known.about


def _hint(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1)
    return f"did you mean {near[0]}?" if near else f"known: {', '.join(known) or 'none'}"
