"""Datasette, which shows any SQLite database: lists with facets, orders and exports, a page for each row."""

import json
import re
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

from benchmarks.applications.application import Application, Origin, Reply
from benchmarks.applications.origin import behind_socket
from benchmarks.applications.texts import words_of
from benchmarks.applications.web_server import await_socket, ended

_ROW = re.compile(r"/library/books/(\d+)$")
_TABLE = re.compile(r"/(library(/books(\?_next=\d+)?)?)?$")
_ROWS_OF_A_PAGE = 3
"""Rows for each text that other applications have: 900 by default."""
_FACETS = {
    "genre": ("novel", "poem", "essay", "drama", "letter", "diary", "fable", "satire"),
    "language": ("danish", "dutch", "english", "french", "german", "greek", "latin", "polish"),
    "shelf": tuple(f"{letter}{number}" for letter in "ABCDE" for number in range(1, 5)),
    "state": ("lent", "lost", "present", "restored"),
}


class Datasette(Application):
    """Content: the page of each row.

    Lists of rows say the same, in any order, narrowed by any facets, as HTML, CSV and JSON.
    """

    name = "datasette"
    packages = "datasette"
    installer = "pip install"
    needs = ("datasette",)

    def fill(self, root: Path, pages: int, seed: int) -> list[str]:
        random, words = Random(seed), words_of(pages, seed)
        count = pages * _ROWS_OF_A_PAGE
        with closing(sqlite3.connect(root / "library.db")) as base, base:
            base.execute(f"create table books ({_COLUMNS}, {', '.join(_FACETS)})")
            for number in range(1, count + 1):
                title, author = (" ".join(random.sample(words, 2)) for _ in range(2))
                facets = [random.choice(values) for values in _FACETS.values()]
                row = (number, title, author, random.randrange(1800, 2020), *facets)
                base.execute(f"insert into books values ({', '.join('?' * len(row))})", row)
        return [f"row:{number}" for number in range(1, count + 1)]

    @contextmanager
    def served(self, root: Path) -> Iterator[Origin]:
        with tempfile.TemporaryDirectory(prefix="app") as work:
            settings = Path(work, "metadata.json")
            settings.write_text(_METADATA)
            command = ["datasette", "serve", str(root / "library.db"), "--uds", f"{work}/web"]
            with ended(_started([*command, "-m", str(settings)])):
                await_socket(Path(work, "web"))
                yield behind_socket(Path(work, "web"), "datasette.test")

    def item_of(self, target: str, reply: Reply) -> str | None:
        found = _ROW.match(target)
        return f"row:{found[1]}" if found else None

    def is_useful(self, target: str) -> bool:
        return bool(_ROW.match(target) or _TABLE.match(target))


_COLUMNS = "id integer primary key, title text, author text, year integer"
_METADATA = json.dumps({"databases": {"library": {"tables": {"books": {"facets": list(_FACETS)}}}}})


def _started(command: list[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
