"""Other search engines, given the same pages and asked the same questions: Xapian, and SQLite's FTS5."""

import re
import sqlite3
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gossamer.base.settings import SearchSettings
from gossamer.harvest.index.fields import IndexedPage, path_words

_DEBIAN = "/usr/lib/python3/dist-packages"
"""Where Debian's python3-xapian is, which pip does not have."""


class Engine(NamedTuple):
    name: str
    find: Callable[[str, int, bool], list[int]]
    """The numbers of the best pages for words, at most so many; with all words, or with some."""


def parts_of(page: IndexedPage) -> dict[str, str]:
    return {
        "title": page.title,
        "headings": "\n".join(page.headings),
        "anchors": "\n".join(page.anchors),
        "url": path_words(page.url),
        "description": page.description,
    }


def make_xapian(pages: Sequence[IndexedPage], settings: SearchSettings) -> Engine | None:
    """English stems, its usual BM25; a part counts as often as its weight says."""
    if _DEBIAN not in sys.path:
        sys.path.append(_DEBIAN)
    try:
        import xapian  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        print("python3-xapian is not installed; left out")
        return None
    database: Any = xapian.WritableDatabase("", xapian.DB_BACKEND_INMEMORY)
    generator, stemmer = xapian.TermGenerator(), xapian.Stem("english")
    generator.set_stemmer(stemmer)
    for page in pages:
        document = xapian.Document()
        generator.set_document(document)
        for name, text in parts_of(page).items():
            if weight := getattr(settings, name):
                generator.index_text_without_positions(text, weight)
        generator.index_text_without_positions(page.full_text)
        database.add_document(document)
    parser = xapian.QueryParser()
    parser.set_stemmer(stemmer)
    parser.set_stemming_strategy(parser.STEM_SOME)
    parser.set_database(database)

    def find(words: str, limit: int, needs_all: bool) -> list[int]:
        parser.set_default_op(xapian.Query.OP_AND if needs_all else xapian.Query.OP_OR)
        enquire = xapian.Enquire(database)
        enquire.set_query(parser.parse_query(words, 0))
        return [match.docid - 1 for match in enquire.get_mset(0, limit)]

    return Engine("Xapian", find)


def make_fts5(
    pages: Sequence[IndexedPage], settings: SearchSettings, path: str = ":memory:"
) -> Engine:
    """English stems (porter), its own BM25 with a weight per column."""
    names = [*parts_of(pages[0])]
    connection = sqlite3.connect(path)
    columns = ", ".join([*names, "full"])
    connection.execute(
        f"CREATE VIRTUAL TABLE texts USING fts5({columns}, tokenize='porter unicode61')"
    )
    wanted = [name for name in names if getattr(settings, name)]
    rows = (
        [*({**dict.fromkeys(names, ""), **_some(page, wanted)}.values()), page.full_text]
        for page in pages
    )
    connection.executemany(f"INSERT INTO texts VALUES ({', '.join('?' * (len(names) + 1))})", rows)
    connection.commit()
    weights = ", ".join(str(float(getattr(settings, name))) for name in names)
    order = f"bm25(texts, {weights}, 1.0)"

    def find(words: str, limit: int, needs_all: bool) -> list[int]:
        question = (" " if needs_all else " OR ").join(
            f'"{one}"' for one in re.findall(r"\w+", words)
        )
        found = connection.execute(
            f"SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY {order} LIMIT ?",
            (question, limit),
        )
        return [number - 1 for (number,) in found]

    return Engine("SQLite FTS5", find)


def _some(page: IndexedPage, wanted: Sequence[str]) -> dict[str, str]:
    return {name: text for name, text in parts_of(page).items() if name in wanted}
