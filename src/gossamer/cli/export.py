"""`gossamer export`: a crawl in a form that other programs read."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.base.errors import SettingsError

_KINDS = ".wacz, .jsonl or .csv"


def export(
    directory: Annotated[Path, typer.Argument(help="The crawl directory.")],
    file: Annotated[
        Path,
        typer.Argument(help=f"The file to write. Its name says what it becomes: {_KINDS}."),
    ],
    table: Annotated[
        str, typer.Option(help="Which rows, for .jsonl and .csv: pages or links.")
    ] = "pages",
    title: Annotated[
        str, typer.Option(help="The title of a .wacz file. Default: the directory's name.")
    ] = "",
) -> int:
    """Export a crawl: as WACZ, which browsers of archives replay, or its rows as JSON lines or CSV."""
    from gossamer.export import TABLES, write_table, write_wacz
    from gossamer.stored import StoredCrawl

    form = file.suffix.lower().lstrip(".")
    if form not in ("wacz", "jsonl", "csv"):
        raise SettingsError(f"{file} is of no known kind; name a file that ends with {_KINDS}")
    if table not in TABLES:
        raise SettingsError(f"there is no table {table!r}; there are: {', '.join(TABLES)}")
    if not file.absolute().parent.is_dir():
        raise SettingsError(
            f"{file.parent} is not a directory; make it first, or choose another file"
        )
    crawl = StoredCrawl(directory)
    if form == "wacz":
        count = write_wacz(crawl, file, title)
        print(f"{file}: {count:,} WARC files, {file.stat().st_size:,} bytes")
    else:
        print(f"{file}: {write_table(crawl, table, form, file):,} rows")
    return 0
