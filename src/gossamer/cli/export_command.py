"""`gossamer export`: a crawl in a form that other programs read."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.core.errors import SettingsError

_KINDS = ".wacz, .jsonl or .csv"


def export(
    directory: Annotated[Path, typer.Argument(help="The crawl directory.")],
    file: Annotated[
        Path,
        typer.Argument(
            help=f"The file to write. Its ending chooses the format: {_KINDS}. For a mirror, the folder."
        ),
    ],
    table: Annotated[
        str,
        typer.Option(
            help="The table to write, for .jsonl and .csv: pages, links, items or text. Default: by "
            "the name of the file, else pages."
        ),
    ] = "",
    title: Annotated[
        str,
        typer.Option(help="The title of a .wacz file or a mirror. Default: the directory's name."),
    ] = "",
    form: Annotated[
        str,
        typer.Option(
            "--format", help="wacz, jsonl, csv or mirror. Default: by the ending of the name."
        ),
    ] = "",
) -> int:
    """Export a crawl as WACZ (for archive browsers), as a mirror to browse offline, or as rows of a table."""
    from gossamer.archive import TABLES, StoredCrawl
    from gossamer.export import write_mirror, write_table, write_wacz

    form = form or file.suffix.lower().lstrip(".")
    if form not in ("wacz", "jsonl", "csv", "mirror"):
        raise SettingsError(
            f"{file} has no known ending; name a file that ends with {_KINDS}, or a "
            "folder with --format mirror"
        )
    table = table or (file.stem if file.stem in TABLES else "pages")
    if table not in TABLES:
        raise SettingsError(f"there is no table {table!r}; there are: {', '.join(TABLES)}")
    if not file.absolute().parent.is_dir():
        raise SettingsError(
            f"{file.parent} is not a directory; make it first, or choose another file"
        )
    crawl = StoredCrawl(directory)
    if form == "mirror":
        print(
            f"{file}: {write_mirror(crawl, file, title):,} files; begin with {file / 'index.html'}"
        )
    elif form == "wacz":
        count = write_wacz(crawl, file, title)
        print(f"{file}: {count:,} WARC files, {file.stat().st_size:,} bytes")
    else:
        print(f"{file}: {write_table(crawl, table, form, file):,} rows")
    return 0
