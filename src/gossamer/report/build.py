"""From a crawl to the answers."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from gossamer.base.errors import DamageError
from gossamer.report.references import LINK_COLUMNS, Batch, References
from gossamer.report.section import Section
from gossamer.report.sections.broken_links import find_broken_links
from gossamer.report.sections.copies import find_copies
from gossamer.report.sections.depth import find_deep_pages
from gossamer.report.sections.kept_away import find_kept_away
from gossamer.report.sections.mixed_content import find_mixed_content
from gossamer.report.sections.orphans import find_orphans
from gossamer.report.sections.redirect_chains import find_redirect_chains
from gossamer.report.sections.slow_pages import find_slow_pages
from gossamer.report.sections.statuses import count_statuses
from gossamer.report.sections.titles import find_poor_titles
from gossamer.report.site import COLUMNS, Row, Site
from gossamer.stored.crawl import open_crawl


class ReportOptions(Struct, frozen=True):
    """What counts as slow, and as deep."""

    slow: float = 1.0
    """Seconds."""
    deep: int = 4
    """Links from a seed."""


_Answer = Callable[[Site, References, ReportOptions], Section]

SECTIONS: dict[str, _Answer] = {
    "statuses": lambda site, links, options: count_statuses(site),
    "broken-links": lambda site, links, options: find_broken_links(site, links),
    "redirect-chains": lambda site, links, options: find_redirect_chains(site, links),
    "orphans": lambda site, links, options: find_orphans(site, links),
    "titles": lambda site, links, options: find_poor_titles(site, links),
    "copies": lambda site, links, options: find_copies(site, links),
    "slow-pages": lambda site, links, options: find_slow_pages(site, options.slow),
    "mixed-content": lambda site, links, options: find_mixed_content(links),
    "kept-away": lambda site, links, options: find_kept_away(site, links),
    "deep-pages": lambda site, links, options: find_deep_pages(site, links, options.deep),
}
"""The questions, in the order of the page."""


def make_report(
    directory: str | Path, options: ReportOptions | None = None, names: Sequence[str] = ()
) -> list[Section]:
    """Answer all questions about a crawl, or those that are named.

    The crawl may be running: what is on record by now counts.
    """
    crawl = open_crawl(directory)
    with _damage_told(crawl.path / "pages"):
        site = Site(_rows(crawl.pages))
    with _damage_told(crawl.path / "links"):
        references = References(site).take(_columns(crawl.links))
    chosen = [name for name in SECTIONS if not names or name in names]
    return [SECTIONS[name](site, references, options or ReportOptions()) for name in chosen]


@contextmanager
def _damage_told(table: Path) -> Iterator[None]:
    from pyarrow import ArrowException

    try:
        yield
    except (ArrowException, OSError) as error:
        said = " ".join(str(error).split())
        raise DamageError(table, f"holds a file that cannot be read ({said})") from None


def _rows(pages: Any) -> Iterator[Row]:
    for batch in pages.to_batches(columns=list(COLUMNS)):
        yield from _in_microseconds(batch).to_pylist()


def _columns(links: Any) -> Iterator[Batch]:
    for batch in links.to_batches(columns=list(LINK_COLUMNS)):
        yield _in_microseconds(batch).to_pydict()


def _in_microseconds(batch: Any) -> Any:
    place = batch.schema.get_field_index("fetched_at")
    return batch.set_column(place, "fetched_at", batch.column(place).cast("int64"))
