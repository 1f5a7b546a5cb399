"""Answers as files: a table of each for other programs, and one page for people."""

import csv
import io
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from gossamer.core.disk.disk_files import write_whole
from gossamer.graph.picture.picture_page import make_page
from gossamer.report.report_section import Cell, Section

_SHOWN = 200
"""Rows of a section on the page; the table has all of them."""
_LINKED = ("http://", "https://")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_report(folder: Path, title: str, sections: Sequence[Section]) -> list[Path]:
    """Write report.html and a CSV file for each section; says which files these are."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {folder / "report.html": _page(title, sections)}
    files |= {folder / f"{section.name}.csv": _table(section) for section in sections}
    for file, content in files.items():
        _write(file, content.encode(errors="replace"))
    return [*files]


def _write(file: Path, content: bytes) -> None:
    write_whole(file, lambda into: into.write(content))


def _table(section: Section) -> str:
    lines = io.StringIO()
    writer = csv.writer(lines)
    writer.writerow(section.columns)
    writer.writerows([*map(_harmless, row)] for row in section.rows)
    return lines.getvalue()


def _harmless(cell: Cell) -> Cell:
    """A title of a page must not be a formula of the program that opens the table.

    >>> _harmless("=1+1"), _harmless("1+1"), _harmless(-1)
    ("'=1+1", '1+1', -1)
    """
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def _page(title: str, sections: Sequence[Section]) -> str:
    parts = [*_contents(sections)]
    for section in sections:
        parts += _section(section)
    return make_page(title, parts)


def _contents(sections: Sequence[Section]) -> Iterator[str]:
    yield "<ul>"
    for section in sections:
        yield f'<li><a href="#{section.name}">{escape(section.title)}</a>: {section.count:,}'
    yield "</ul>"


def _section(section: Section) -> Iterator[str]:
    yield f'<h2 id="{section.name}">{escape(section.title)}</h2>'
    yield f"<p>{escape(section.meaning)}"
    if section.remark:
        yield f"<p>{escape(section.remark)}"
    yield section.picture
    if not section.rows:
        yield "<p>Nothing was found."
        return
    if len(section.rows) > _SHOWN:
        yield f"<p>The first {_SHOWN} of {len(section.rows):,} rows."
    yield f'<p>All rows: <a href="{section.name}.csv">{section.name}.csv</a>'
    yield '<div style="overflow-x: auto"><table>'
    yield "<tr>" + "".join(f"<th>{escape(name)}</th>" for name in section.columns) + "</tr>"
    for row in section.rows[:_SHOWN]:
        yield "<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>"
    yield "</table></div>"


def _cell(cell: Cell) -> str:
    """URLs of http can be followed; whatever else a page says is text.

    >>> _cell("javascript:alert(1)"), _cell(1200), _cell(None)
    ('javascript:alert(1)', '1,200', '')
    """
    if isinstance(cell, int | float):
        return f"{cell:,}"
    words = escape(cell or "")
    if cell and cell.startswith(_LINKED) and " " not in cell:
        return f'<a rel="noreferrer" href="{words}">{words}</a>'
    return words
