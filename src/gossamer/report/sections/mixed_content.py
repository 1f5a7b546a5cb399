"""Pages with TLS that have parts without."""

from gossamer.report.references import References
from gossamer.report.report_section import Section


def find_mixed_content(references: References) -> Section:
    found = {(link.source, link.target, link.kind) for link in references.mixed}
    return Section(
        "mixed-content",
        "Mixed content",
        "Parts of pages that are read by https, but are themselves fetched by http: browsers block or "
        "mark them. Change their addresses to https.",
        ("page", "part", "kind"),
        sorted(found),
    )
