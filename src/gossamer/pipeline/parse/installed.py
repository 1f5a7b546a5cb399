"""Parsers of other packages, which they announce with entry points.

An entry point is named after what its parser reads: a media type (`application/epub+zip`), a kind
(`image/*`), or `*/*`. In the group `gossamer.parsers` it runs in the crawl, between two network events;
in `gossamer.isolated_parsers` it runs apart, where a crash is survived.
"""

from collections.abc import Callable
from importlib.metadata import EntryPoint

from gossamer.core.entry_points import find_entry_points
from gossamer.core.errors import SettingsError
from gossamer.core.records import Document, Page
from gossamer.pipeline.parse.sandbox import Isolated

Parser = Callable[[Page], Document]

_IN_THE_CRAWL = "gossamer.parsers"
_APART = "gossamer.isolated_parsers"


def find_installed() -> dict[str, Parser | Isolated]:
    """The parsers of installed packages, by media type.

    Of two for one type an isolated one counts, and then the first by the alphabet.
    """
    found: dict[str, Parser | Isolated] = {}
    for entry in _entries(_IN_THE_CRAWL):
        found[entry.name.lower()] = _load(entry)
    for entry in _entries(_APART):
        found[entry.name.lower()] = Isolated(entry.value)
    return found


def _entries(group: str) -> list[EntryPoint]:
    """The last of one name counts for a dict, so the first by the alphabet comes last."""
    return sorted(find_entry_points(group), key=lambda entry: entry.value, reverse=True)


def _load(entry: EntryPoint) -> Parser:
    try:
        parser: Parser = entry.load()
    except Exception as error:
        package = entry.dist.name if entry.dist is not None else entry.value
        raise SettingsError(
            f"the parser of {package} for {entry.name} cannot be loaded ({error}); "
            "repair or remove the package, or set parse.installed = false"
        ) from None
    return parser
