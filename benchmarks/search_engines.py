"""Search engines that are given the same texts and asked the same questions: ours, SQLite's FTS5, DuckDB's.

Each keeps the texts, too, and shows ten pages that have all words; ours and SQLite's with a snippet.
"""

import json
import os
import sqlite3
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from benchmarks.search_texts import Text
from gossamer.core.settings import SearchSettings
from gossamer.search.fields import FORMAT, IndexedPage, key_of, weights_of
from gossamer.search.index_manifest import IndexManifest, shard_folder, write_manifest
from gossamer.search.shard import ShardWriter
from gossamer.search.text_index import TextIndex

_BEST = 0.9
"""Pages that are worth more are in the first tier."""
DUCKDB = "GOSSAMER_DUCKDB"
"""Names a Python that has a DuckDB with full-text search built in, as 0.7.1 has."""


Latencies = tuple[list[float], int]
"""CPU seconds of each question, asked for the second time; and how many pages were shown."""


class Engine(Protocol):
    """Fills a folder of its own, some texts at a time, and is asked."""

    def __init__(self, folder: Path) -> None: ...

    def put(self, texts: Sequence[Text]) -> float:
        """Add texts so that they stay; CPU seconds."""

    def pause(self) -> float:
        """More will come, but not now; CPU seconds."""

    def finish(self) -> float:
        """Nothing more will come; CPU seconds."""

    def latencies(self, questions: Sequence[str]) -> dict[str, Latencies]:
        """How long questions take, by the way they are asked, if there are several."""


class Gossamer:
    """As `gossamer index --first-tier 10` does it. What pages are worth is drawn from their numbers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "index"
        self._folder.mkdir(exist_ok=True)
        self._settings = SearchSettings()
        self._writers: list[ShardWriter] = []

    def put(self, texts: Sequence[Text]) -> float:
        start = time.process_time()
        if not self._writers:
            memory, weights = (self._settings.memory << 20) // 2, weights_of(self._settings)
            folders = (shard_folder(self._folder, 0, tier) for tier in (0, 1))
            self._writers = [ShardWriter(folder, weights, memory) for folder in folders]
        for url, title, text in texts:
            key = key_of(url)
            worth = key % 1000 / 1000
            page = IndexedPage(
                url, title, main_text=text, full_text=text, language="en", worth=worth
            )
            self._writers[worth < _BEST].put(page, key, 1)
        for writer in self._writers:
            writer.commit()
        return time.process_time() - start

    def pause(self) -> float:
        return self.finish()

    def finish(self) -> float:
        start = time.process_time()
        for writer in self._writers:
            writer.close()
        self._writers = []
        manifest = IndexManifest(FORMAT, 1, weights_of(self._settings), ("en",), best_from=1)
        write_manifest(self._folder, manifest)
        return time.process_time() - start

    def latencies(self, questions: Sequence[str]) -> dict[str, Latencies]:
        """All tiers together are an index without tiers."""
        search = TextIndex(self._folder, settings=self._settings).search
        ways = {"all pages": True, "the best tenth first": False}
        return {
            way: asked_twice(lambda one: len(search(one, all_tiers=is_all).hits), questions)  # noqa: B023
            for way, is_all in ways.items()
        }


class Fts5:
    def __init__(self, folder: Path) -> None:
        self._database = sqlite3.connect(folder / "texts.db")
        self._database.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS texts "
            "USING fts5(url UNINDEXED, title, text, tokenize='porter unicode61')"
        )

    def put(self, texts: Sequence[Text]) -> float:
        start = time.process_time()
        self._database.executemany("INSERT INTO texts VALUES (?, ?, ?)", texts)
        self._database.commit()
        return time.process_time() - start

    def pause(self) -> float:
        return 0.0

    def finish(self) -> float:
        return 0.0

    def latencies(self, questions: Sequence[str]) -> dict[str, Latencies]:
        select = (
            "SELECT url, title, snippet(texts, 2, '[', ']', '…', 40) FROM texts WHERE texts MATCH ? "
            "ORDER BY bm25(texts, 0, 6, 1) LIMIT 10"
        )
        execute = self._database.execute
        return {"": asked_twice(lambda one: len(execute(select, (one,)).fetchall()), questions)}


class DuckDb:
    """With a Python of its own: newer versions of it would fetch their full-text search.

    It is handed texts as files; its index is made of all of them, at the end.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, texts: Sequence[Text]) -> float:
        from pyarrow import parquet, table

        columns = dict(
            zip(("url", "title", "text"), map(list, zip(*texts, strict=True)), strict=True)
        )
        parquet.write_table(table(columns), file := self._folder / "some.parquet")
        spent = float(self._run("put", str(file))["spent"])
        file.unlink()
        return spent

    def pause(self) -> float:
        return 0.0

    def finish(self) -> float:
        return float(self._run("finish")["spent"])

    def latencies(self, questions: Sequence[str]) -> dict[str, Latencies]:
        said = self._run("ask", json.dumps([*questions]))
        return {"": (said["latencies"], said["shown"])}

    def _run(self, *words: str) -> dict[str, Any]:
        script = Path(__file__).with_name("search_duckdb.py")
        command = [os.environ[DUCKDB], str(script), str(self._folder / "texts.duckdb"), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"DuckDB: {done.stderr.strip().splitlines()[-1]}")
        said: dict[str, Any] = json.loads(done.stdout)
        return said


ENGINES: dict[str, type[Engine]] = {"gossamer": Gossamer, "fts5": Fts5, "duckdb": DuckDb}


def asked_twice(ask: Callable[[str], int], questions: Sequence[str]) -> Latencies:
    found, shown = [], 0
    for question in questions:
        ask(question)
        start = time.process_time()
        shown += ask(question)
        found.append(time.process_time() - start)
    return found, shown
