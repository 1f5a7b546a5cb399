"""From a child's report to a document: nothing in it is taken as it comes."""

from msgspec.structs import replace

from gossamer.core.records import Document, Link, Page
from gossamer.core.url import Spelling
from gossamer.pipeline.parse.sandbox import SandboxReport

_FETCHABLE = ("http:", "https:", "ftp:", "file:")
_MAX_ANCHOR = 256
_MAX_TITLE = 1024


def document_of(
    page: Page, report: SandboxReport, unread: Document, spelling: Spelling, max_links: int
) -> Document:
    """The document that a parser reported, its links spelled and counted as everybody's.

    `unread` is the document without it, made of the header fields alone.
    """
    if report.failure:
        page = replace(page, detail="; ".join(filter(None, (page.detail, report.detail))))
    targets = [spelling.parse(target) for target, *_ in report.links]
    links = [
        Link(page.url, target, kind, anchor[:_MAX_ANCHOR], rel)
        for target, (_, kind, anchor, rel) in zip(targets, report.links, strict=True)
        if target is not None and target.text.startswith(_FETCHABLE)
    ]
    return Document(
        page=page,
        title=report.title[:_MAX_TITLE],
        charset=report.charset,
        media_type=report.media_type or unread.media_type,
        links=tuple(links[:max_links]),
        is_indexable=unread.is_indexable and report.is_indexable,
        is_followable=unread.is_followable and report.is_followable,
        bad_links=report.bad_links + targets.count(None),
        text_utf8=report.text,
        failure=report.failure,
        items=report.items,
    )
