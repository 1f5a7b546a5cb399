"""From a document to a reading."""

from datetime import UTC, datetime

from msgspec.structs import replace

from gossamer.core.extracted_page import Reading
from gossamer.core.http import read_media_type
from gossamer.core.records import Document, Page
from gossamer.core.text_language import detect_language
from gossamer.core.url import base, join
from gossamer.pipeline.parse.encodings import sniff_encoding, to_utf8
from gossamer.pipeline.parse.extraction import metadata_choice
from gossamer.pipeline.parse.extraction.json_ld import read_json_ld
from gossamer.pipeline.parse.extraction.main_text import leave_out_signs, read_text
from gossamer.pipeline.parse.extraction.meta import Meta
from gossamer.pipeline.parse.extraction.metadata_choice import Sources
from gossamer.pipeline.parse.extraction.outline import Outline, build_outline
from gossamer.pipeline.parse.extraction.said_dates import find_dateline, find_said_date
from gossamer.pipeline.parse.extraction.script_dates import find_script_date
from gossamer.pipeline.parse.extraction.shown_dates import (
    find_address_date,
    find_shown_date,
    first_date,
)
from gossamer.pipeline.parse.extraction.treeless_reading import read_wild
from gossamer.pipeline.parse.extraction.written_dates import writes_day_first
from gossamer.pipeline.parse.media import media_type_of

HTML = frozenset({"text/html", "application/xhtml+xml"})
_MAX_HTML = 16 << 20


def read_page(document: Document) -> Reading:
    """Read a document deeply: metadata, dates, language, and its text with and without boilerplate.

    >>> from gossamer.core.outcomes import Outcome
    >>> from gossamer.core.records import Headers, Visit
    >>> from gossamer.core.url import parse
    >>> body = b"<html lang=en><title>Tea</title><nav>Home</nav><main><p>How to make tea.</p></main>"
    >>> headers = Headers([("Content-Type", "text/html")])
    >>> page = Page(Visit(parse("http://a.test/")), Outcome.FETCHED, 0.0, headers=headers, body=body)
    >>> reading = read_page(Document(page))
    >>> reading.title, reading.declared_language, reading.main_text
    ('Tea', 'en', 'How to make tea.')
    """
    page = document.page
    said = read_media_type(page.headers.get("content-type"))
    media_type = document.media_type or media_type_of(page, said)
    if media_type not in HTML:
        return _read_other(document, media_type)
    body = page.body[:_MAX_HTML]
    html = to_utf8(body, document.charset or sniff_encoding(body, said.charset))
    outline = build_outline(html)
    if outline is None:
        return _read_wild(page, media_type, html)
    return _read_tree(page, media_type, outline, html)


def _read_other(document: Document, media_type: str) -> Reading:
    """Read a document that is no HTML: it has only a title and a text."""
    page, text = document.page, document.text
    nothing = Sources(Meta(()), visited=page.started)
    declared = metadata_choice.choose_language("", nothing, _header(page, "content-language"))
    return Reading(
        page.url,
        media_type,
        title=document.title,
        language=detect_language(text, declared),
        declared_language=declared,
        modified=metadata_choice.choose_modified(nothing, _header(page, "last-modified")),
        main_text=text,
        text=text,
    )


def _read_wild(page: Page, media_type: str, html: bytes) -> Reading:
    wild = read_wild(html)
    sources = Sources(Meta(wild.metas), visited=page.started)
    title = metadata_choice.choose_title(wild.title, sources)
    text = leave_out_signs(wild.text)
    texts = (text, text)
    reading = _reading(page, media_type, sources, title, "", "", texts)
    published = reading.published or _date_of_address(page) or _said_date(page, reading, html)
    return replace(reading, published=published)


def _read_tree(page: Page, media_type: str, outline: Outline, html: bytes) -> Reading:
    sources = Sources(
        Meta(outline.metas()),
        read_json_ld(outline.scripts()),
        outline.items(),
        tuple(outline.times()),
        tuple(outline.authors()),
        page.started,
        outline.language or _header(page, "content-language"),
    )
    canonical = _absolute(page.url, outline.base(), outline.canonical())
    headings = tuple(outline.headings())  # before text is taken, which changes the tree
    published = metadata_choice.choose_published(sources) or _shown_date(
        page, outline, sources.language
    )
    texts = read_text(outline, metadata_choice.is_declared_article(sources))
    title = metadata_choice.choose_title(outline.title, sources, headings)
    reading = _reading(page, media_type, sources, title, outline.language, canonical, texts)
    published = published or _said_date(page, reading, html)
    return replace(reading, headings=headings, published=published)


def _shown_date(page: Page, outline: Outline, language: str) -> datetime | None:
    latest = metadata_choice.latest_date(page.started)
    is_day_first = writes_day_first(language)
    return _moment(find_shown_date(outline.elements, outline.title, page.url, latest, is_day_first))


def _date_of_address(page: Page) -> datetime | None:
    day = find_address_date(page.url)
    return _moment(
        day if day is not None and day <= metadata_choice.latest_date(page.started) else None
    )


def _said_date(page: Page, reading: Reading, html: bytes) -> datetime | None:
    """The day that the text says, or else data for scripts."""
    main, whole = reading.main_text, reading.text
    is_day_first = writes_day_first(reading.language or reading.declared_language)
    choices = (
        lambda: find_said_date(whole, main, is_day_first),
        lambda: find_dateline(main, is_day_first),
        lambda: find_script_date(html),
    )
    return _moment(first_date(choices, metadata_choice.latest_date(page.started)))


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _reading(
    page: Page,
    media_type: str,
    found: Sources,
    title: str,
    language: str,
    canonical: str,
    texts: tuple[str, str],
) -> Reading:
    whole, main = texts
    declared = metadata_choice.choose_language(language, found, _header(page, "content-language"))
    return Reading(
        page.url,
        media_type,
        title,
        metadata_choice.choose_description(found),
        detect_language(main or whole, declared),
        declared,
        metadata_choice.choose_published(found),
        metadata_choice.choose_modified(found, _header(page, "last-modified")),
        canonical,
        metadata_choice.choose_authors(found),
        found.meta.open_graph,
        found.json_ld,
        found.microdata,
        main,
        whole,
    )


def _header(page: Page, name: str) -> str:
    return page.headers.get(name)


def _absolute(url: str, base_href: str, href: str) -> str:
    """The canonical address; empty when there is none that makes sense."""
    own = base(url) if href else None
    if own is None:
        return ""
    moved = join(own, base_href) if base_href else None
    target = join((base(moved.text) if moved is not None else None) or own, href)
    return target.text if target is not None else ""
