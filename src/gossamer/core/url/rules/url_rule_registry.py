"""Rules by name, and how a list of them is applied."""

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib.metadata import EntryPoint

from gossamer.core.entry_points import find_entry_points
from gossamer.core.errors import SettingsError
from gossamer.core.mistakes import Mistakes
from gossamer.core.url.rules.index_page_rule import drop_index
from gossamer.core.url.rules.query_order import order_query
from gossamer.core.url.rules.session import drop_session
from gossamer.core.url.rules.tracking import drop_tracking

Rule = Callable[[str, str], tuple[str, str]]
"""Takes path and query, returns path and query."""

_BUILT_IN: dict[str, Rule] = {
    "tracking": drop_tracking,
    "session": drop_session,
    "index": drop_index,
    "query_order": order_query,
}

_ROUNDS = 8
"""More than the built-in rules ever need; a foreign rule that never settles is cut off."""


def known_rules(mistakes: Mistakes | None = None) -> dict[str, Rule]:
    """The built-in rules, and those of installed packages, by name."""
    entries = find_entry_points("gossamer.url_rules")
    found = {entry.name: _guard(_load(entry), mistakes or Mistakes()) for entry in entries}
    return {**found, **_BUILT_IN}


def _load(entry: EntryPoint) -> Rule:
    try:
        rule: Rule = entry.load()
    except Exception as error:
        raise SettingsError(
            f"url.rules: {entry.name} cannot be loaded ({error}); repair or remove its package"
        ) from None
    return rule


def _guard(rule: Rule, mistakes: Mistakes) -> Rule:
    """The same rule, except that it changes nothing of what it fails at."""

    def spell(path: str, query: str) -> tuple[str, str]:
        try:
            new_path, new_query = rule(path, query)
            if isinstance(new_path, str) and isinstance(new_query, str):
                return new_path, new_query
            raise TypeError(f"it returned {new_path!r:.80}, {new_query!r:.80}, not two strings")
        except Exception as error:  # code of a package: the crawl goes on
            mistakes.note("a URL rule", path, error)
            return path, query

    return spell


def find_rules(names: Sequence[str], mistakes: Mistakes | None = None) -> tuple[Rule, ...]:
    """The rules with these names, in this order.

    >>> [rule.__name__ for rule in find_rules(["tracking", "index"])]
    ['drop_tracking', 'drop_index']
    """
    known = _BUILT_IN if all(name in _BUILT_IN for name in names) else known_rules(mistakes)
    for name in names:
        if name not in known:
            raise SettingsError(_unknown(name, list(known)))
    return tuple(known[name] for name in names)


def settle(rules: Sequence[Rule], path: str, query: str) -> tuple[str, str]:
    """Apply the rules in their order, until they change nothing.

    >>> settle(find_rules(["index", "session"]), "/index.html;jsessionid=" + "0" * 32, "")
    ('/', '')
    """
    for _ in range(_ROUNDS):
        before = path, query
        for rule in rules:
            path, query = rule(path, query)
        if (path, query) == before:
            break
    return path, query


def _unknown(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1, cutoff=0.0)
    return f"url.rules: no rule {name!r}; did you mean {near[0]!r}? Known: {', '.join(known)}."
