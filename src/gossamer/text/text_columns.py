"""The `text` table: one row per distinct page."""

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gossamer.core.extracted_page import Reading
from gossamer.core.outcomes import ParseFailure
from gossamer.text.capture_plan import Capture

if TYPE_CHECKING:
    import pyarrow

TEXT_MEANINGS = {
    "url": "The URL where the content was found first.",
    "digest": "SHA-1 of the body as sent, spelled as in WARC; no two rows have the same.",
    "fetched_at": "The time of the request.",
    "media_type": "Type and subtype, as in the pages table.",
    "title": "The title of the page, from its title element, Open Graph or JSON-LD; null when it has none.",
    "description": "The description that the page gives of itself.",
    "language": "The language of the text, detected, as `en`; null when there is too little text.",
    "declared_language": "The language that the page claims, as it spells it.",
    "published": "The date of publication, as the page claims.",
    "modified": "The date of the last change, as the page claims; without one, that of Last-Modified.",
    "canonical": "The canonical URL that the page names, absolute.",
    "authors": "Names, each once.",
    "is_indexable": "False when the page asks not to be kept in an index.",
    "main_text": "The text without menus, headers and footers; one line per block.",
    "full_text": "All text.",
    "open_graph": "Properties of Open Graph and its relatives, as a JSON object of lists.",
    "json_ld": "The objects of JSON-LD, as a JSON list.",
    "microdata": "The items of microdata, as a JSON list.",
    "parse_failure": "The reason why the body could not be read: crashed, timed_out, too_large or "
    "broken; else null.",
    "headings": "The headings of an HTML page, in order; null in files of an earlier version.",
}
"""What the columns mean."""


def text_schema() -> "pyarrow.Schema":
    """Names and types of the columns. What there is nothing to say about is null, not empty."""
    import pyarrow as pa

    text, few = pa.string(), pa.dictionary(pa.int32(), pa.string())
    time = pa.timestamp("us", "UTC")
    kinds = {
        "media_type": few,
        "language": few,
        "declared_language": few,
        "parse_failure": few,
        "fetched_at": time,
        "published": time,
        "modified": time,
        "authors": pa.list_(text),
        "headings": pa.list_(text),
        "is_indexable": pa.bool_(),
    }
    return pa.schema([(name, kinds.get(name, text)) for name in TEXT_MEANINGS])


def text_row(capture: Capture, reading: Reading, failure: ParseFailure) -> tuple[Any, ...]:
    """One row, in the order of the schema."""
    return (
        capture.url,
        capture.digest,
        capture.fetched_at,
        reading.media_type or capture.media_type or None,
        reading.title or None,
        reading.description or None,
        reading.language or None,
        reading.declared_language or None,
        _microseconds(reading.published),
        _microseconds(reading.modified),
        reading.canonical or None,
        list(reading.authors),
        capture.is_indexable,
        reading.main_text or None,
        reading.text or None,
        _json(reading.open_graph),
        _json(reading.json_ld),
        _json(reading.microdata),
        failure or None,
        list(reading.headings),
    )


def _microseconds(time: datetime | None) -> int | None:
    return None if time is None else int(time.timestamp() * 1_000_000)


def _json(value: Any) -> str | None:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else None
