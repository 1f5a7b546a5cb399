"""`gossamer items`: the items of a page and how its list goes on."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.core.errors import SeedError

if TYPE_CHECKING:
    from gossamer.items import Item, ItemPage


def items(
    page: Annotated[
        Path | None, typer.Option("--page", help="An HTML file to read; - reads standard input.")
    ] = None,
    url: Annotated[
        str, typer.Option(help="The URL of the page: its links are made absolute with it.")
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    persons: Annotated[
        bool, typer.Option("--persons", help="Keep personal data: persons and authors.")
    ] = False,
) -> int:
    """Read the items of one stored page (products, articles, events …) and its pagination."""
    from gossamer.core.url import parse
    from gossamer.items import read_items

    if page is None:
        raise SeedError("there is no page to read; name an HTML file with --page FILE")
    parsed = parse(url)
    if parsed is None or not parsed.text.startswith("http"):
        raise SeedError(f"{url!r} is not the URL of a page; add --url https://example.org/page")
    found = read_items(_read_html(page), parsed.text, persons)
    if json:
        import msgspec

        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
    else:
        _print(found)
    return 0


def _read_html(path: Path) -> str:
    from gossamer.pipeline.parse.encodings import sniff_encoding, to_utf8

    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as error:
        raise SeedError(f"{path} cannot be read: {error.strerror}") from None
    return to_utf8(data, sniff_encoding(data)).decode("utf-8", "replace")


def _print(found: "ItemPage") -> None:
    for item in found.items:
        print(f"{item.type}  {_title(item)}")
        for name, value in item.fields.items():
            text = " ".join(str(value).split())
            print(f"    {name}: {text if len(text) <= 100 else text[:99] + '…'}")
    for name in ("next", "previous", "pages"):
        for one in getattr(found.pagination, name):
            print(f"{name}  {one}")
    for one in found.records:
        print(f"record  {one}")
    if not found.items and not found.records and found.pagination == type(found.pagination)():
        print("no items and no pagination found")


def _title(item: "Item") -> str:
    for name in ("name", "headline", "title"):
        if isinstance(value := item.fields.get(name), str):
            return value
    return item.key
