"""Other search engines, given the same pages and asked the same questions: Lucene, Xapian, SQLite's FTS5.

Lucene is left out unless there is `java`, and `GOSSAMER_LUCENE` names a folder with its jars: `lucene-core`,
`lucene-analysis-common` and `lucene-queryparser`, as Maven has them (`mvn dependency:copy`).
"""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gossamer.core.settings import SearchSettings
from gossamer.search.fields import IndexedPage, path_words

LUCENE = "GOSSAMER_LUCENE"
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


def make_lucene(pages: Sequence[IndexedPage], most: int) -> Engine | None:
    """Its usual BM25 and its English analyzer, over one text; any of the words."""
    if LUCENE not in os.environ or shutil.which("java") is None:
        print(f"Lucene is left out: {LUCENE} names no folder with its jars, or there is no java")
        return None
    texts = Path(tempfile.mkstemp(suffix=".txt")[1])
    texts.write_text("\n".join(" ".join(page.full_text.split()) for page in pages), "utf-8")
    source = Path(__file__).with_name("LuceneSearch.java")
    command = ["java", "-cp", f"{os.environ[LUCENE]}/*", str(source), str(texts), str(most)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )

    def find(words: str, limit: int, needs_all: bool) -> list[int]:
        assert process.stdin
        assert process.stdout
        process.stdin.write(" ".join(words.split()) + "\n")
        process.stdin.flush()
        found = process.stdout.readline().split()
        texts.unlink(missing_ok=True)  # it is read before the first question is
        return [*map(int, found)][:limit]

    return Engine("Lucene", find)


def _some(page: IndexedPage, wanted: Sequence[str]) -> dict[str, str]:
    return {name: text for name, text in parts_of(page).items() if name in wanted}
