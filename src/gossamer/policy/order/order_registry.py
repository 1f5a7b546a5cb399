"""Orders by name: `pagerank`, `pagerank:damping=0.85,jump=seeds`, `pagerank + 0.1 * site-rank`.

A name may have options after a colon, `name=value` with commas between; several words are parted by
`|`. An order within another stands in parentheses: `domain-caps:limit=100,inner=(pagerank)`. Parts that are
joined by ` + ` are added up, each with a weight before ` * ` if it has one.

Policies are imported when they are asked for: most have kernels, and those take a moment to load. A package
adds its own with entry points in the group `gossamer.orders`, named after the order.
"""

import difflib
import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import EntryPoint
from math import inf, isfinite
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from msgspec import Struct

from gossamer.core.entry_points import find_entry_points
from gossamer.core.errors import SettingsError
from gossamer.core.mistakes import Mistakes
from gossamer.policy.order.guarded_order import Guarded
from gossamer.policy.order.order_protocol import Policy

_PACKAGE = "gossamer.policy.order"


class KnownOrder(Struct, frozen=True):
    """The module of a policy, and its purpose."""

    module: str
    kind: str
    about: str


ORDERS: dict[str, KnownOrder] = {
    "breadth-first": KnownOrder(
        "breadth_first", "BreadthFirst", "the closer to a seed, the sooner"
    ),
    "depth-first": KnownOrder("breadth_first", "DepthFirst", "the further from a seed, the sooner"),
    "random": KnownOrder("random_order", "Random", "random, drawn with a seed"),
    "site-first": KnownOrder("site_orders", "SiteFirst", "one host after the other"),
    "largest-sites": KnownOrder(
        "site_orders", "LargestSites", "hosts with many waiting pages (Baeza-Yates)"
    ),
    "domain-caps": KnownOrder("domain_caps", "DomainCaps", "some of each domain first (Fetterly)"),
    "backlinks": KnownOrder("backlinks", "Backlinks", "IB′: pages that many known pages link to"),
    "backlinks-disk": KnownOrder(
        "drum_backlink", "DrumBacklinks", "the same on disk, for crawls of any size"
    ),
    "location": KnownOrder("location", "Location", "IL: slashes, endings and words of the URL"),
    "similarity": KnownOrder(
        "similarity", "Similarity", "IS′: words of a query in anchors and URLs"
    ),
    "two-queues": KnownOrder("two_queues", "TwoQueues", "a hot queue for a topic (Cho et al.)"),
    "pagerank": KnownOrder("pagerank", "PageRank", "IR′: PageRank of the pages known so far"),
    "site-rank": KnownOrder("site_rank", "SiteRank", "PageRank of hosts"),
    "opic": KnownOrder("opic", "Opic", "cash that flows along links, in memory"),
    "opic-disk": KnownOrder("drum_opic", "DrumOpic", "the same on disk, for crawls of any size"),
    "ranks": KnownOrder("ranks", "Ranks", "by a finished ranking of the earlier crawl `of`"),
}


class OrderPlace(Struct, frozen=True):
    """Resources that an order may use."""

    folder: Path | None = None
    """For those that keep something on disk; without it they cannot be made."""
    random_seed: int = 0
    """For those that need chance."""
    mistakes: Mistakes | None = None
    """Hears what orders of installed packages raise."""

    def part(self, name: str) -> "OrderPlace":
        """A place of its own for a part of an order."""
        return OrderPlace(self.folder and self.folder / name, self.random_seed, self.mistakes)


def make_order(text: str, place: OrderPlace | None = None) -> Policy:
    """The order that a text describes; a mistake in it is one clear `SettingsError`.

    >>> type(make_order("pagerank:damping=0.85 + 0.1 * site-rank")).__name__
    'Combination'
    >>> make_order("pagerang")
    Traceback (most recent call last):
    gossamer.core.errors.SettingsError: there is no order pagerang; did you mean pagerank?
    """
    place = place or OrderPlace()
    terms = [_weigh(term) for term in _split(text, "+")]
    if len(terms) == 1 and terms[0][0] == 1.0:
        return _make(terms[0][1], place)
    from gossamer.policy.order.combination import Combination

    return Combination(
        [(weight, _make(term, place.part(str(part)))) for part, (weight, term) in enumerate(terms)]
    )


def _weigh(term: str) -> tuple[float, str]:
    """
    >>> _weigh("0.5 * opic"), _weigh("opic")
    ((0.5, 'opic'), (1.0, 'opic'))
    """
    weight, star, rest = term.partition("*")
    if not star or "(" in weight or ":" in weight:
        return 1.0, term.strip()
    try:
        if isfinite(number := float(weight)):
            return number, rest.strip()
        raise ValueError
    except ValueError:
        raise SettingsError(
            f"{weight.strip()!r} is not a valid weight; write a number before the order, such as 0.5 * NAME"
        ) from None


def _make(term: str, place: OrderPlace) -> Policy:
    if term.startswith("(") and term.endswith(")"):
        return make_order(term[1:-1], place)
    name, _, options = term.partition(":")
    name = name.strip()
    if name in ORDERS:
        kind = _import(ORDERS[name])
        return kind(**_arguments(name, kind, options, place))
    return _make_installed(name, options, place)


def _import(known: KnownOrder) -> Callable[..., Policy]:
    kind: Callable[..., Policy] = getattr(import_module(f"{_PACKAGE}.{known.module}"), known.kind)
    return kind


def _make_installed(name: str, options: str, place: OrderPlace) -> Policy:
    """An order of another package: what it raises later does not end the crawl."""
    installed = _installed()
    if name not in installed:
        known = [*ORDERS, *installed]
        raise SettingsError(f"there is no order {name or repr('')}; {_hint(name, known)}")
    try:
        kind: Callable[..., Policy] = installed[name].load()
        policy = kind(**_arguments(name, kind, options, place))
    except SettingsError:
        raise
    except Exception as error:
        raise SettingsError(
            f"the order {name} cannot be loaded ({error}); repair or remove its package"
        ) from None
    return Guarded(policy, place.mistakes or Mistakes())


def _installed() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in find_entry_points("gossamer.orders")}


def _arguments(
    name: str, kind: Callable[..., Policy], options: str, place: OrderPlace
) -> dict[str, Any]:
    parameters = _parameters(kind)
    hints = get_type_hints(kind.__init__)
    given: dict[str, Any] = {}
    for option in _split(options, ",") if options.strip() else ():
        key, equals, value = option.partition("=")
        key = key.strip()
        if key not in parameters or not equals or key == "folder":
            raise SettingsError(
                f"the order {name} has no option {key!r}; {_hint(key, options_of(kind))}"
            )
        given[key] = _convert(f"{name}:{key}", value.strip(), hints[key], place)
    return _complete(name, given, parameters, place)


def _complete(
    name: str, given: dict[str, Any], parameters: dict[str, inspect.Parameter], place: OrderPlace
) -> dict[str, Any]:
    """Fill in options that were not given."""
    if "folder" in parameters:
        if place.folder is None:
            raise SettingsError(f"the order {name} needs a crawl directory; use opic in the lab")
        given["folder"] = place.folder
    if "seed" in parameters:
        given.setdefault("seed", place.random_seed)
    if "inner" in parameters:
        given.setdefault("inner", make_order("breadth-first", place))
    if "words" in parameters and parameters["words"].default is inspect.Parameter.empty:
        given.setdefault("words", ())
    return given


def options_of(kind: Callable[..., Policy]) -> list[str]:
    """The names of a policy's options."""
    return [name for name in _parameters(kind) if name != "folder"]


def _parameters(kind: Callable[..., Policy]) -> dict[str, inspect.Parameter]:
    """The parameters that have names; a policy without a constructor has none."""
    return {
        name: parameter
        for name, parameter in inspect.signature(kind).parameters.items()
        if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    }


def describe_orders() -> Iterator[tuple[str, str, str]]:
    """Name, options with their defaults, and meaning of every order, for people."""
    for name, known in ORDERS.items():
        kind = _import(known)
        parameters = _parameters(kind)
        shown = (
            key
            if parameters[key].default is inspect.Parameter.empty
            else f"{key}={_show(parameters[key].default)}"
            for key in options_of(kind)
        )
        yield name, ",".join(shown), known.about


def _show(value: Any) -> str:
    if isinstance(value, tuple):
        return "|".join(value)
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _convert(what: str, value: str, hint: Any, place: OrderPlace) -> Any:
    if hint is Policy:
        return make_order(value, place.part("inner"))
    if choices := [choice for choice in get_args(hint) if isinstance(choice, str)]:
        return _choose(what, value, {choice: choice for choice in choices})
    if hint is bool:
        return _choose(what, value, {"yes": True, "no": False})
    if get_origin(hint) is tuple:
        return tuple(word for word in value.split("|") if word)
    if hint is str:
        return value
    try:
        number = hint(value)
    except ValueError:
        raise SettingsError(f"{what}: {value!r} is not a {_NUMBERS[hint]}") from None
    least, most = _BOUNDS.get(what.partition(":")[2], (0.0, inf))
    if not least <= number <= most:
        raise SettingsError(f"{what}: {value} is not between {least:g} and {most:g}")
    return number


_NUMBERS = {int: "whole number", float: "number"}
_BOUNDS = {
    "damping": (0.0, 1.0),
    "growth": (0.001, 100.0),
    "tolerance": (1e-12, 1.0),
    "limit": (1, inf),
    "often": (1, inf),
    "memory": (1 << 20, inf),
    "slashes": (-inf, inf),
}
"""The numbers that an option can be; all others are not below 0."""


def _choose(what: str, value: str, choices: dict[str, Any]) -> Any:
    if value not in choices:
        raise SettingsError(f"{what}: {value!r}; choose {' or '.join(choices)}")
    return choices[value]


def _hint(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {near[0]}?" if near else f"known: {', '.join(known) or 'none'}"


def _split(text: str, separator: str) -> list[str]:
    """Parts of a text, not split within parentheses.

    >>> _split("a + (b + c)", "+")
    ['a', '(b + c)']
    """
    parts, depth, begin = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == separator and depth == 0:
            parts.append(text[begin:at].strip())
            begin = at + 1
    if depth:
        raise SettingsError(f"{text!r}: a parenthesis is not closed")
    return [*parts, text[begin:].strip()]
