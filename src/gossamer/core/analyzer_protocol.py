"""The protocol of analyzers: all that judges pages is declared here, and nowhere else.

A `Declaration` says what an analyzer is: its columns in `pages/`, its settings, its counts, how it explains
itself. Everything that reads a crawl knows it, so its module must be quick to import. An `Analyzer` is the
component that is built from it, when its settings ask for it.

An analyzer sees batches of pages and returns columns. It may read columns of the analyzers before it, if it
names them as its inputs. What the ring is to do about a page (follow nothing, count it for less) is an effect
of `Judged`, which an analyzer sets in the batch.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from gossamer.core.durable import Durable
from gossamer.core.mistakes import Mistakes
from gossamer.core.outcomes import Refusal
from gossamer.core.page_batch import Annotations, PageBatch
from gossamer.core.settings import Settings

PageRow = Mapping[str, Any]
"""A row of the pages table, by the names of its columns."""
Fact = tuple[str, str]
"""What it is about, and what there is to say: a line of `gossamer explain`."""


class PageColumn(Struct, frozen=True):
    """A column of the pages table that an analyzer fills.

    >>> PageColumn("language", "few", "The language of the text.").is_stored
    True
    """

    name: str
    kind: str
    """Its type as Arrow calls it, such as `string`, `bool`, `int32`, `float32`; `few` for texts of which
    there are few different ones; empty for what only later analyzers read."""
    about: str
    """Its meaning, in a sentence."""
    after: str = ""
    """The column behind which it stands; at the end if empty."""
    default: Any = None
    """Its value if the analyzer says nothing."""
    lasts: bool = True
    """Is it still so when the page has not changed, though it came without content (304)?"""
    marks_errors: bool = False
    """Is a page with True none that anyone should find, though its status says so?"""

    @property
    def is_stored(self) -> bool:
        return bool(self.kind)


class PageCount(Struct, frozen=True):
    """A number of the summary."""

    name: str
    label: str
    """Its name in the summary as it is printed."""
    about: str


class AnalyzerPlace(Struct, frozen=True):
    """The settings, folder and state that an analyzer is built with."""

    settings: Settings
    own: Any = None
    """Its own section of the settings."""
    folder: Path = Path()
    """For what it keeps on disk; it is made when it is used first."""
    state: bytes = b""
    """The bytes that it returned at the checkpoint; none for a new one."""
    mistakes: Mistakes = Mistakes()
    """Hears what functions of others raise."""


class Analyzer(Durable, Protocol):
    """Judges pages. What it does not need, it leaves as it is here."""

    def look(self, batch: PageBatch) -> Annotations:
        """Its columns for these pages; it may leave out those in which there is nothing."""

    def count(self, batch: PageBatch) -> Mapping[str, int]:
        """Count these pages. They are visited, and none is a robots.txt."""
        return {}

    def change(self, settings: Settings) -> None:
        """Go by other settings from now on, as far as they may change while a crawl runs."""
        return


def explain_nothing(page: PageRow) -> Iterable[Fact]:
    return ()


class Declaration(Struct, frozen=True, kw_only=True):
    """Name, columns, counts, settings and builder of an analyzer."""

    name: str
    about: str
    columns: tuple[PageColumn, ...]
    inputs: tuple[str, ...] = ()
    """Columns of analyzers before it that it reads."""
    refusals: tuple[Refusal, ...] = ()
    """Why it has the links of a page not followed."""
    counts: tuple[PageCount, ...] = ()
    explain: Callable[[PageRow], Iterable[Fact]] = explain_nothing
    """The lines of `gossamer explain` about a page, by its row."""
    settings: type[Struct] | None = None
    """Its section, named like the analyzer; None for one that is always there."""
    is_on: Callable[[Any], bool] = lambda own: True
    """Do these settings ask for it? Otherwise it is not built, and costs nothing."""
    build: Callable[[AnalyzerPlace], Analyzer] | None = None
    """None for one that the engine builds."""

    @property
    def stored(self) -> tuple[PageColumn, ...]:
        """Its columns of the pages table."""
        return tuple(column for column in self.columns if column.is_stored)

    @property
    def is_optional(self) -> bool:
        """Has a table its columns only while it is switched on?"""
        return self.settings is not None
