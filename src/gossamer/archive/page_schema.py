"""The columns of a crawl's pages table: those of every crawl, and those of analyzers that it switched on."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.core.analyzer_protocol import PageColumn
from gossamer.core.analyzer_registry import optional_of
from gossamer.core.directory import Directory
from gossamer.core.errors import DirectoryError, SettingsError
from gossamer.output.pages_table import pages_schema

if TYPE_CHECKING:
    import pyarrow


def optional_columns(crawl: Path) -> list[PageColumn]:
    """Columns of the analyzers that a crawl's settings switch on; none if these cannot be read."""
    try:
        return [
            column
            for declaration, _ in optional_of(Directory(crawl).look())
            for column in declaration.stored
        ]
    except (DirectoryError, SettingsError):
        return []


def read_page_schema(
    files: Sequence[Path], optional: Sequence[PageColumn] = ()
) -> "pyarrow.Schema":
    """All columns that there are: files may have some of an analyzer that was switched off since."""
    from pyarrow import parquet

    schema = pages_schema(optional)
    names = set(schema.names)
    for file in files:
        for field in parquet.read_schema(file):
            if field.name not in names:
                names.add(field.name)
                schema = schema.append(field)
    return schema
