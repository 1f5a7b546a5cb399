"""Addresses in pages that are no URLs, or not the intended ones."""

from gossamer.report.contents import ArchivedMarkup
from gossamer.report.report_section import Section


def find_malformed_links(contents: ArchivedMarkup) -> Section:
    return Section(
        "malformed-links",
        "Malformed links",
        "Addresses that no browser can follow, or that do not lead where the author meant, as "
        "written in the page. Correct them in the page.",
        ("address", "problem", "element", "links", "a page"),
        sorted(
            (href, fault, element, use.count, use.page)
            for (href, element, fault), use in contents.malformed.items()
        ),
        contents.remark,
    )
