"""The analyzers, in the order in which they look at pages; one line registers one.

Here are names only: what reads a crawl knows its columns without loading what made them. A package adds its
own with entry points in the group `gossamer.analyzers`, named like the analyzer; they come last.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import msgspec

from gossamer.core.analyzer_protocol import Declaration, Fact, PageColumn, PageCount, PageRow
from gossamer.core.entry_points import find_entry_points
from gossamer.core.errors import SettingsError
from gossamer.core.settings import Settings

_ANALYZERS = (
    "gossamer.analyzers.duplicates.duplicates_declaration:DUPLICATES",
    "gossamer.analyzers.change:CHANGE",
    "gossamer.analyzers.redundancy.redundancy_declaration:REDUNDANCY",
    "gossamer.analyzers.directives:DIRECTIVES",
    "gossamer.analyzers.language:LANGUAGE",
    "gossamer.analyzers.lists:LISTS",
)


@cache
def declared() -> tuple[Declaration, ...]:
    """Our own, in their order."""
    found = (name.partition(":") for name in _ANALYZERS)
    return tuple(getattr(import_module(module), name) for module, _, name in found)


def find_analyzer(name: str) -> Declaration | None:
    """The analyzer of this name, ours or of an installed package."""
    for declaration in declared():
        if declaration.name == name:
            return declaration
    for entry in find_entry_points("gossamer.analyzers"):
        if entry.name == name:
            return _load(entry.name, entry.load)
    return None


def installed_names() -> list[str]:
    """Analyzers of installed packages."""
    return [entry.name for entry in find_entry_points("gossamer.analyzers")]


def _load(name: str, load: Any) -> Declaration:
    try:
        found = load()
    except Exception as error:
        raise SettingsError(
            f"the analyzer {name} cannot be loaded ({error}); repair or remove its package"
        ) from None
    if not isinstance(found, Declaration) or found.name != name or found.settings is None:
        raise SettingsError(
            f"the analyzer {name} must be a Declaration with this name and with settings; "
            "repair or remove its package"
        )
    return found


def optional_of(settings: Settings) -> list[tuple[Declaration, Any]]:
    """The analyzers that the settings switch on, each with its own section."""
    found = []
    for name, values in settings.analyzers.items():
        one = find_analyzer(name)
        if one is None or one.settings is None:
            raise SettingsError(
                f"there is no analyzer {name}; install the package that has it, or remove the "
                f"section [{name}] out"
            )
        own = msgspec.convert(values, one.settings)
        if one.is_on(own):
            found.append((one, own))
    order = [declaration.name for declaration in declared()]
    found.sort(key=lambda pair: order.index(pair[0].name) if pair[0].name in order else len(order))
    check_columns([*always(), *(declaration for declaration, _ in found)])
    return found


def always() -> list[Declaration]:
    """Analyzers whose columns every table has."""
    return [declaration for declaration in declared() if not declaration.is_optional]


def check_columns(analyzers: Iterable[Declaration]) -> None:
    """Refuse two columns of one name, and inputs that nobody makes before they are read."""
    known: dict[str, str] = {}
    for analyzer in analyzers:
        for name in analyzer.inputs:
            if name not in known:
                raise SettingsError(
                    f"the analyzer {analyzer.name} reads the column {name}, which no analyzer before it "
                    "makes; switch on the one that does"
                )
        for column in analyzer.columns:
            if column.name in known:
                raise SettingsError(
                    f"the analyzers {known[column.name]} and {analyzer.name} both make a column "
                    f"{column.name}; switch one of them off"
                )
            known[column.name] = analyzer.name


@cache
def always_stored() -> tuple[PageColumn, ...]:
    """The columns of analyzers that every pages table has."""
    return tuple(column for declaration in always() for column in declaration.stored)


@cache
def lasting() -> tuple[PageColumn, ...]:
    """Those of them that hold for a page that has not changed."""
    return tuple(column for column in always_stored() if column.lasts)


def error_columns() -> list[str]:
    """Columns that mark pages which are none, though their status says so."""
    return [column.name for column in always_stored() if column.marks_errors]


def is_error(page: PageRow) -> bool:
    """Is a page, by its row, none that anyone should find?"""
    return any(page[name] for name in error_columns())


def counts() -> Iterator[PageCount]:
    """List the counts of our own analyzers."""
    for declaration in declared():
        yield from declaration.counts


def explain_page(page: PageRow) -> Iterator[Fact]:
    """Explain a page by its row, analyzer by analyzer; those whose columns it has not are left out."""
    for declaration in (*declared(), *_installed()):
        if all(column.name in page for column in declaration.stored):
            yield from declaration.explain(page)


def _installed() -> Iterator[Declaration]:
    for name in installed_names():
        try:
            if (one := find_analyzer(name)) is not None:
                yield one
        except SettingsError:
            continue  # one that is broken says nothing


def sections() -> Mapping[str, type[msgspec.Struct]]:
    """The sections of settings that our own analyzers have."""
    return {
        declaration.name: declaration.settings
        for declaration in declared()
        if declaration.settings is not None
    }
