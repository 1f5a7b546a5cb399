"""From a crawl to the answers."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from gossamer.archive.stored_crawl import StoredCrawl, open_crawl
from gossamer.core.errors import DamageError
from gossamer.core.url_patterns import UrlPatterns
from gossamer.report.checked_links import MOST_CHECKED, checked, is_web
from gossamer.report.contents import ArchivedMarkup, read_contents
from gossamer.report.crawled_site import COLUMNS, Row, Site
from gossamer.report.references import LINK_COLUMNS, Batch, Outward, References
from gossamer.report.report_section import Section
from gossamer.report.sections.broken_links_section import find_broken_links, list_broken_links
from gossamer.report.sections.canonicals import find_poor_canonicals
from gossamer.report.sections.checked_links_section import find_broken_elsewhere, outward_links
from gossamer.report.sections.copies_section import find_copies
from gossamer.report.sections.depth import find_deep_pages
from gossamer.report.sections.forms import find_broken_forms
from gossamer.report.sections.fragments_section import find_lost_fragments
from gossamer.report.sections.kept_away import find_kept_away
from gossamer.report.sections.malformed_links import find_malformed_links
from gossamer.report.sections.mixed_content import find_mixed_content
from gossamer.report.sections.moved_links_section import find_moved_links
from gossamer.report.sections.orphans import find_orphans
from gossamer.report.sections.redirect_chains import find_redirect_chains
from gossamer.report.sections.sitemaps_section import find_poor_sitemaps
from gossamer.report.sections.slow_pages import find_slow_pages
from gossamer.report.sections.soft_errors_section import find_soft_errors
from gossamer.report.sections.statuses import count_statuses
from gossamer.report.sections.titles import find_poor_titles
from gossamer.report.sections.translations import find_poor_translations


class ReportOptions(Struct, frozen=True):
    """Limits: the seconds of a slow answer, the links to a deep page."""

    slow: float = 1.0
    """Seconds."""
    deep: int = 4
    """Links from a seed."""
    check_external: bool = False
    """Ask for what links lead to outside of the crawl?"""


class Evidence(Struct, frozen=True):
    """All that is known of a site."""

    site: Site
    links: References
    contents: ArchivedMarkup
    options: ReportOptions
    outward: dict[str, Outward]
    """What links lead to outside of the crawl."""
    asked: Sequence[str] = ()
    """Which of them were asked for …"""
    outside: Site | None = None
    """… and what came of it; None if nobody asked."""


_Answer = Callable[[Evidence], Section]

SECTIONS: dict[str, _Answer] = {
    "statuses": lambda known: count_statuses(known.site),
    "broken-links": lambda known: find_broken_links(known.site, known.links),
    "broken-links-by-page": lambda known: list_broken_links(known.site, known.links),
    "soft-errors": lambda known: find_soft_errors(known.site, known.links, known.contents),
    "fragments": lambda known: find_lost_fragments(known.contents),
    "malformed-links": lambda known: find_malformed_links(known.contents),
    "forms": lambda known: find_broken_forms(known.site, known.contents),
    "checked-links": lambda known: find_broken_elsewhere(known.outside, known.asked, known.outward),
    "canonicals": lambda known: find_poor_canonicals(known.site, known.links),
    "translations": lambda known: find_poor_translations(known.site, known.links, known.contents),
    "redirect-chains": lambda known: find_redirect_chains(known.site, known.links),
    "moved-links": lambda known: find_moved_links(known.site, known.links),
    "sitemaps": lambda known: find_poor_sitemaps(known.site, known.links),
    "orphans": lambda known: find_orphans(known.site, known.links),
    "titles": lambda known: find_poor_titles(known.site, known.links),
    "copies": lambda known: find_copies(known.site, known.links),
    "slow-pages": lambda known: find_slow_pages(known.site, known.options.slow),
    "mixed-content": lambda known: find_mixed_content(known.links),
    "kept-away": lambda known: find_kept_away(known.site, known.links),
    "deep-pages": lambda known: find_deep_pages(known.site, known.links, known.options.deep),
}
"""The questions, in the order of the page."""


def make_report(
    directory: str | Path, options: ReportOptions | None = None, names: Sequence[str] = ()
) -> list[Section]:
    """Answer all questions about a crawl, or those that are named.

    The crawl may be running: what is recorded by now counts.
    """
    crawl = open_crawl(directory)
    with _reporting_damage(crawl.path / "pages"):
        site = Site(read_rows(crawl.pages))
    contents = read_contents(crawl, site)
    for url in contents.says_missing:
        site.mark_soft_error(url)  # before links are judged by where they lead
    with _reporting_damage(crawl.path / "links"):
        references = References(site).take(_columns(crawl.links))
    excluded = UrlPatterns("scope.exclude", crawl.settings.scope.exclude)
    references.take_named(contents.named, excluded)
    chosen = options or ReportOptions()
    outward = outward_links(references.outward, site, contents, excluded)
    evidence = Evidence(site, references, contents, chosen, outward)
    if chosen.check_external:
        evidence = _ask(crawl, evidence)
    return [SECTIONS[name](evidence) for name in SECTIONS if not names or name in names]


def _ask(crawl: StoredCrawl, evidence: Evidence) -> Evidence:
    """Ask for what is outside of the crawl, as polite as the crawl was."""
    asked = [*islice(filter(is_web, evidence.outward), MOST_CHECKED)]
    if not asked:
        return replace(evidence, outside=Site(()))
    with checked(crawl, asked) as answers:
        return replace(evidence, asked=asked, outside=Site(read_rows(answers.pages)))


@contextmanager
def _reporting_damage(table: Path) -> Iterator[None]:
    from pyarrow import ArrowException

    try:
        yield
    except (ArrowException, OSError) as error:
        said = " ".join(str(error).split())
        raise DamageError(table, f"holds a file that cannot be read ({said})") from None


def read_rows(pages: Any) -> Iterator[Row]:
    for batch in pages.to_batches(columns=list(COLUMNS)):
        yield from _in_microseconds(batch).to_pylist()


def _columns(links: Any) -> Iterator[Batch]:
    for batch in links.to_batches(columns=list(LINK_COLUMNS)):
        yield _in_microseconds(batch).to_pydict()


def _in_microseconds(batch: Any) -> Any:
    place = batch.schema.get_field_index("fetched_at")
    return batch.set_column(place, "fetched_at", batch.column(place).cast("int64"))
