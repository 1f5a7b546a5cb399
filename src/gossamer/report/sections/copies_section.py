"""Pages that are copies of others, without a canonical link."""

from gossamer.report.crawled_site import Site
from gossamer.report.references import References
from gossamer.report.report_section import Section


def find_copies(site: Site, references: References) -> Section:
    rows = []
    for page in site:
        if page.copy_of is None or not (page.is_page and page.is_indexable):
            continue
        first, how, alike = page.copy_of
        if not _says_so(references, page.url, first):
            rows.append((page.url, first, how, alike))
    return Section(
        "copies",
        "Copies",
        "Pages with the content of another one: the same bytes, the same text, or nearly the same text. "
        "A canonical link says which of them counts; pages that have one are not listed.",
        ("page", "like", "how", "alike"),
        sorted(rows, key=lambda row: (row[1], row[0])),
    )


def _says_so(references: References, url: str, first: str) -> bool:
    """Does one of them name the other, or both a third one?"""
    names = [references.canonical.get(one, one) for one in (url, first)]
    return names[0] == names[1]
