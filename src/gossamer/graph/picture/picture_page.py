"""A page of HTML with pictures and tables in it: one file, nothing from elsewhere."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from gossamer.graph.picture.svg import STYLE

_STYLE = """
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; }
svg { display: block; width: 100%; height: auto; margin: 1.5rem 0; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; }
"""


def make_page(title: str, parts: Iterable[str]) -> str:
    """
    >>> make_page("A & B", ["<p>x"]).splitlines()[-2:]
    ['<h1>A &amp; B</h1>', '<p>x']
    """
    head = '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
    head += '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    head += f"<title>{escape(title)}</title>\n<style>{STYLE}{_STYLE}</style>\n<h1>{escape(title)}</h1>\n"
    return head + "\n".join(parts) + "\n"


def make_table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the first column has names, the others numbers."""
    return "\n".join(["<table>", _row("th", names), *_rows(rows), "</table>"])


def _rows(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for row in rows:
        yield _row("td", row)


def _row(kind: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{kind}>{escape(cell)}</{kind}>" for cell in cells) + "</tr>"
