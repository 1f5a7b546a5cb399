"""An analyzer of an installed package: what it raises does not end the crawl."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from gossamer.core.analyzer_protocol import Analyzer, AnalyzerPlace, Declaration
from gossamer.core.errors import SettingsError
from gossamer.core.mistakes import Mistakes
from gossamer.core.page_batch import Annotations, PageBatch
from gossamer.core.settings import Settings

Answer = TypeVar("Answer")


def record_name(declaration: Declaration) -> str:
    """The name under which an analyzer is recorded: no component has it, whatever a package calls its own."""
    return f"analyzers/{declaration.name}"


def build_optional(declaration: Declaration, place: AnalyzerPlace) -> Analyzer:
    """An analyzer that settings ask for."""
    assert declaration.build is not None, "an analyzer with settings is built from them"
    if declaration.build.__module__.startswith("gossamer."):
        analyzer = declaration.build(place)
        analyzer.name = record_name(declaration)
        return analyzer
    try:
        analyzer = declaration.build(place)
    except SettingsError:
        raise
    except Exception as error:
        raise SettingsError(
            f"the analyzer {declaration.name} cannot be built ({error}); correct [{declaration.name}], or "
            "repair or remove its package"
        ) from None
    return GuardedAnalyzer(declaration, analyzer, place.mistakes)


class GuardedAnalyzer(Analyzer):
    """Asks an analyzer, and puts up with its errors: the pages have nothing in its columns, and go on."""

    def __init__(self, declaration: Declaration, analyzer: Analyzer, mistakes: Mistakes) -> None:
        self.name = record_name(declaration)
        self._what = f"the analyzer {declaration.name}"
        self._columns = {column.name for column in declaration.columns}
        self._analyzer, self._mistakes = analyzer, mistakes

    def look(self, batch: PageBatch) -> Annotations:
        pages = [*batch.pages]
        found = self._ask(batch, lambda: self._check(self._analyzer.look(batch), len(batch)))
        if found is None:
            batch.pages = pages
        return found or {}

    def count(self, batch: PageBatch) -> Mapping[str, int]:
        return self._ask(batch, lambda: _check_counts(self._analyzer.count(batch))) or {}

    def change(self, settings: Settings) -> None:
        self._analyzer.change(settings)

    def note(self) -> bytes:
        return self._analyzer.note()

    def noted(self) -> None:
        self._analyzer.noted()

    def replay(self, notes: Sequence[bytes]) -> None:
        self._analyzer.replay(notes)

    def checkpoint(self) -> bytes:
        return self._analyzer.checkpoint()

    def checkpoint_published(self) -> None:
        self._analyzer.checkpoint_published()

    @property
    def disk_bytes(self) -> int:
        return self._analyzer.disk_bytes

    def verify(self) -> None:
        self._analyzer.verify()

    def close(self) -> None:
        self._analyzer.close()

    def _ask(self, batch: PageBatch, ask: Callable[[], Answer]) -> Answer | None:
        try:
            return ask()
        except Exception as error:
            where = batch.pages[0].document.url if batch.pages else "a batch without pages"
            self._mistakes.note(self._what, where, error)
            self._mistakes.counts["analyzer_error"] += 1
            return None

    def _check(self, columns: Annotations, pages: int) -> Annotations:
        for name, values in columns.items():
            if name not in self._columns:
                raise ValueError(f"{name} is not among the columns that it declares")
            if len(values) != pages:
                raise ValueError(f"{name} has {len(values)} values for {pages} pages")
        return columns


def _check_counts(counts: Mapping[str, int]) -> Mapping[str, int]:
    for name, count in counts.items():
        if not (isinstance(name, str) and isinstance(count, int)):
            raise TypeError(f"{name!r}: {count!r} is not a count")
    return counts
