"""Find the pages that match a query: the root set of HITS."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gossamer.core.parquet import read_columns
from gossamer.core.whole_files import table_files, text_files
from gossamer.graph.rank.arcs import Nodes
from gossamer.graph.rank.ranked_web import LinkedWeb

_FILES: dict[str, Callable[[Path], list[Path]]] = {
    "pages": lambda crawl: table_files(crawl, "pages"),
    "text": text_files,
}
_COLUMNS = {"pages": ("title",), "text": ("title", "main_text")}


def find_root(directory: Path, web: LinkedWeb, query: str, most: int = 200) -> Nodes:
    """Pages with all words of a query in their title, or in their text if `text/` is there.

    Of more than `most`, those that most pages link to.
    """
    found = web.find(_matching(directory, query.split()))
    order = np.argsort(-web.back.degrees()[found], kind="stable")
    return np.sort(found[order[:most]])


def _matching(directory: Path, words: list[str]) -> set[str]:
    urls: set[str] = set()
    for table in _tables(directory) if words else ():
        is_match = pa.array(np.ones(len(table), np.bool_))
        names = [name for name in table.column_names if name != "url"]
        for word in words:
            pattern = rf"(?i)\b{re.escape(word)}\b"
            hits = [pc.match_substring_regex(table[name], pattern) for name in names]
            has_word = hits[0].fill_null(False)
            for other in hits[1:]:
                has_word = pc.or_(has_word, other.fill_null(False))
            is_match = pc.and_(is_match, has_word)
        urls.update(table["url"].filter(is_match).to_pylist())
    return urls


def _tables(directory: Path) -> Iterator[pa.Table]:
    for folder, columns in _COLUMNS.items():
        for file in _FILES[folder](directory):
            yield read_columns(file, ["url", *columns])
