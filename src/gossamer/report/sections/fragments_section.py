"""Links to a part of a page that does not exist."""

from gossamer.report.contents import ArchivedMarkup
from gossamer.report.report_section import Section


def find_lost_fragments(contents: ArchivedMarkup) -> Section:
    lost = contents.lost_fragments()
    return Section(
        "fragments",
        "Fragments",
        "Links to a part of a page (#part) that has no element with such an id: readers arrive at its top. "
        "Fix the link, or give the part its id. Parts that scripts make when the page is shown are not seen "
        "here.",
        ("url", "fragment", "links", "a page"),
        sorted((url, fragment, use.count, use.page) for url, fragment, use in lost),
        contents.remark,
    )
