"""Read a stored page that a command names with --page and --url."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from gossamer.core.errors import SeedError

PageFile = Annotated[
    Path | None, typer.Option("--page", help="An HTML file to read; - reads standard input.")
]
PageUrl = Annotated[
    str, typer.Option("--url", help="The URL of the page: its links are made absolute with it.")
]


def read_page_file(page: Path | None, url: str) -> str:
    """The page as text; a SeedError if there is none, or if its URL is none of a page."""
    from gossamer.core.url import parse

    if page is None:
        raise SeedError("there is no page to read; name an HTML file with --page FILE")
    parsed = parse(url)
    if parsed is None or not parsed.text.startswith(("http:", "https:")):
        raise SeedError(f"{url!r} is not the URL of a page; add --url https://example.org/page")
    return decode_page(page)


def decode_page(path: Path) -> str:
    """The text of an HTML file, decoded as a browser does."""
    from gossamer.pipeline.parse.encodings import sniff_encoding, to_utf8

    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as error:
        raise SeedError(f"{path} cannot be read: {error.strerror}") from None
    return to_utf8(data, sniff_encoding(data)).decode("utf-8", "replace")
