"""A record of the archive becomes a page again."""

from pathlib import Path

from gossamer.archive.stored_message import read_message
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Page, Visit
from gossamer.core.url import parse
from gossamer.text.capture_plan import Capture


def read_capture(folder: Path, capture: Capture, max_decoded: int) -> Page | None:
    """The page as the crawl had it; None when there is no such response in the archive."""
    url = parse(capture.url)
    try:
        message = read_message(folder, capture.file, capture.offset, capture.length)
    except ValueError:
        return None
    if url is None or message.is_revisit:
        return None
    headers = message.headers
    return Page(
        Visit(url),
        Outcome.FETCHED,
        capture.fetched_at / 1e6,
        status=message.status,
        headers=headers,
        body=message.body(headers, max_decoded),
    )
