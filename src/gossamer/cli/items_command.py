"""`gossamer items`: the items of a page and how its list goes on."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.page_file import PageFile, PageUrl, read_page_file
from gossamer.core.errors import SeedError

if TYPE_CHECKING:
    from gossamer.items import Item, ItemPage


def items(
    directory: Annotated[
        Path | None,
        typer.Argument(
            help="A crawl directory: list the items of its crawl, made with lists.items."
        ),
    ] = None,
    page: PageFile = None,
    url: PageUrl = "",
    type: Annotated[
        str, typer.Option("--type", help="Of a crawl, only items of this type, such as Product.")
    ] = "",
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object; of a crawl, one for each item.")
    ] = False,
    persons: Annotated[
        bool, typer.Option("--persons", help="Keep personal data: persons and authors.")
    ] = False,
) -> int:
    """Read items (products, articles, events …) and pagination of a stored page, or list those of a crawl."""
    if directory is not None:
        if page is not None:
            raise SeedError("both a crawl and a page are given; leave out the directory or --page")
        return _list_items(directory, type, json)
    from gossamer.items import read_items

    if page is None:
        raise SeedError(
            "there is nothing to read; name an HTML file with --page FILE, or a crawl directory"
        )
    found = read_items(read_page_file(page, url), url, persons)
    if json:
        import msgspec

        sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
    else:
        _print(found)
    return 0


def _list_items(directory: Path, kind: str, is_json: bool) -> int:
    """Print the items of a crawl, page by page."""
    import msgspec

    from gossamer.archive.stored_crawl import open_crawl
    from gossamer.core.parquet import read_dataset

    found = open_crawl(directory).items
    for batch in read_dataset(found, directory / "items"):
        for row in batch.to_pylist():
            item = msgspec.json.decode(row["item"])
            if kind and item.get("type") != kind:
                continue
            if is_json:
                told = {"url": row["url"], "fetched_at": row["fetched_at"], **item}
                sys.stdout.write(msgspec.json.encode(told).decode() + "\n")
            else:
                print(f"{item.get('type', 'item')}  {_named(item)}  {row['url']}")
    return 0


def _named(item: dict[str, Any]) -> str:
    fields = item.get("fields", item)
    for name in ("name", "headline", "title"):
        if isinstance(value := fields.get(name), str):
            return " ".join(value.split())[:80]
    return str(item.get("key", ""))


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
