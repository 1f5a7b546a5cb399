"""Wrong links to translations (hreflang)."""

from collections.abc import Iterator

from gossamer.report.contents import ArchivedMarkup
from gossamer.report.crawled_site import Site
from gossamer.report.references import References
from gossamer.report.report_section import Section
from gossamer.report.sections.canonicals import problem_of


def find_poor_translations(site: Site, references: References, contents: ArchivedMarkup) -> Section:
    return Section(
        "translations",
        "Translations",
        "Links to the same page in other languages (hreflang) that search engines ignore: the other "
        "page does not link back, cannot be read, is a redirect or not to be indexed, or the "
        "language code is not valid.",
        ("page", "translation", "problem"),
        sorted({*_rows(site, references), *_languages(contents)}),
    )


def _rows(site: Site, references: References) -> Iterator[tuple[str, str, str]]:
    for source, targets in references.translations.items():
        page = site.get(source)
        if page is None or not page.is_html:
            continue  # a sitemap
        for target in targets:
            if problem := problem_of(site, target) or _lost_return(
                site, references, source, target
            ):
                yield source, target, problem


def _lost_return(site: Site, references: References, source: str, target: str) -> str:
    page = site.get(target)
    if target == source or page is None or not (page.is_page and page.is_html):
        return ""
    return "" if source in references.translations.get(target, ()) else "no return link"


def _languages(contents: ArchivedMarkup) -> Iterator[tuple[str, str, str]]:
    for page, language in contents.languages:
        yield page, "", f"{language or 'nothing'} is not a language code"
