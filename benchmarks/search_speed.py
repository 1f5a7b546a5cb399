"""What a search costs, by the number of pages: time to build, bytes, and latency of questions of two words.

    python -m benchmarks.search_speed FOLDER [--pages 100000] [--questions 300] [--only gossamer,fts5,duckdb]

The pages are texts of the simulated web (`gossamer.lab.prose`). The same texts go to Gossamer's index, to
SQLite's FTS5 and to DuckDB's full-text search, in one run; each stores them, is asked the same questions, all
words needed, and shows ten pages; Gossamer and SQLite with a snippet. All are warm: each question is asked
once before. One thread each; seconds are of CPU. DuckDB is left out without its fts extension: nothing is
fetched for it. (The wheels of DuckDB 0.7 have it built in.)
"""

import argparse
import random
import re
import resource
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from gossamer.base.settings import SearchSettings
from gossamer.harvest.index.fields import FORMAT, IndexedPage, key_of, weights_of
from gossamer.harvest.index.index import TextIndex
from gossamer.harvest.index.manifest import IndexManifest, write_manifest
from gossamer.harvest.index.shard import ShardWriter
from gossamer.lab.prose import TEXT_LENGTHS, paragraphs_about
from gossamer.lab.vocabulary import TOPICS

_TAGS = re.compile(r"</?p>")
_AT_ONCE = 2000
Ask = Callable[[str], int]


def texts(count: int) -> Iterator[tuple[str, str, str]]:
    """URL, title and text of each page."""
    pieces = [
        [_TAGS.sub("", one.decode()).strip() for one in paragraphs_about(topic)]
        for topic in range(len(TOPICS))
    ]
    chance = random.Random(5)
    for number in range(count):
        topic = chance.randrange(len(TOPICS))
        chosen = chance.choices(pieces[topic], k=chance.choice(TEXT_LENGTHS))
        title = " ".join(chance.choices(TOPICS[topic].nouns, k=3))
        yield f"http://host{number % 1000}.sim/page{number}", title, "\n".join(chosen)


def questions(count: int) -> list[str]:
    chance = random.Random(6)
    topics = [[*topic.nouns, *topic.adjectives] for topic in chance.choices(TOPICS, k=count)]
    return [" ".join(chance.sample([one for one in words if one.isalpha()], 2)) for words in topics]


def build_gossamer(folder: Path, count: int) -> Ask:
    settings = SearchSettings()
    weights = weights_of(settings)
    shard = ShardWriter(folder / "00000", weights, settings.memory << 20)
    for url, title, text in texts(count):
        page = IndexedPage(url, title, main_text=text, full_text=text, language="en")
        shard.put(page, key_of(url), 1)
    shard.commit()
    shard.close()
    write_manifest(folder, IndexManifest(FORMAT, 1, weights, ("en",)))
    index = TextIndex(folder, settings=settings)
    return lambda question: len(index.search(question).hits)


def build_fts5(folder: Path, count: int) -> Ask:
    database = sqlite3.connect(folder / "texts.db")
    database.execute(
        "CREATE VIRTUAL TABLE texts USING fts5(url UNINDEXED, title, text, tokenize='porter unicode61')"
    )
    database.executemany("INSERT INTO texts VALUES (?, ?, ?)", texts(count))
    database.commit()
    select = (
        "SELECT url, title, snippet(texts, 2, '[', ']', '…', 40) FROM texts WHERE texts MATCH ? "
        "ORDER BY bm25(texts, 0, 6, 1) LIMIT 10"
    )
    return lambda question: len(database.execute(select, (question,)).fetchall())


def build_duckdb(folder: Path, count: int) -> Ask | None:
    try:
        import duckdb  # type: ignore[import-not-found, unused-ignore]

        database: Any = duckdb.connect(str(folder / "texts.duckdb"))
        with suppress(
            duckdb.CatalogException
        ):  # 0.7 fetches nothing by itself, and knows no such setting
            database.execute("SET autoinstall_known_extensions=false")
        database.execute("SET threads=1; LOAD fts")
    except Exception as error:  # each version of it refuses in another way
        print(f"DuckDB's full-text search is not there ({str(error).splitlines()[0]}); left out")
        return None
    import pyarrow

    database.execute("CREATE TABLE texts (url VARCHAR, title VARCHAR, text VARCHAR)")
    rows = texts(count)
    while some := [row for row, _ in zip(rows, range(_AT_ONCE), strict=False)]:
        columns = dict(
            zip(("url", "title", "text"), map(list, zip(*some, strict=True)), strict=True)
        )
        database.register("rows_now", pyarrow.table(columns))
        database.execute("INSERT INTO texts SELECT * FROM rows_now")
    database.execute("PRAGMA create_fts_index('texts', 'url', 'title', 'text')")
    database.execute("CHECKPOINT")
    select = (
        "SELECT url, title, score FROM (SELECT *, fts_main_texts.match_bm25(url, ?, conjunctive := 1) "
        "AS score FROM texts) WHERE score IS NOT NULL ORDER BY score DESC LIMIT 10"
    )
    return lambda question: len(database.execute(select, [question]).fetchall())


_ENGINES: dict[str, Callable[[Path, int], Ask | None]] = {
    "gossamer": build_gossamer,
    "fts5": build_fts5,
    "duckdb": build_duckdb,
}


def latencies(ask: Ask, asked: list[str]) -> tuple[list[float], int]:
    """CPU seconds of each question, in ascending order; and how many pages were shown."""
    found, shown = [], 0
    for is_warm in (False, True):
        for question in asked:
            start = time.process_time()
            shown += ask(question)
            if is_warm:
                found.append(time.process_time() - start)
    return sorted(found), shown // 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--only", default=",".join(_ENGINES))
    arguments = parser.parse_args()
    count, asked = arguments.pages, questions(arguments.questions)
    size = sum(len(title) + len(text) for _, title, text in texts(count))
    print(f"{count:,} pages, {size / 1e6:,.0f} MB of text, {len(asked)} questions of two words\n")
    print(
        "| engine | build, CPU s | pages a CPU s | bytes | of the text | p50 | p95 | pages shown | memory |"
    )
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    for name in arguments.only.split(","):
        folder = arguments.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        start = time.process_time()
        ask = _ENGINES[name](folder, count)
        spent = time.process_time() - start
        if ask is None:
            continue
        kept = sum(one.stat().st_size for one in folder.rglob("*") if one.is_file())
        found, shown = latencies(ask, asked)
        p50, p95 = (found[int(len(found) * part)] * 1e3 for part in (0.5, 0.95))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        built = f"{spent:.0f} | {count / spent:,.0f} | {kept:,} | {kept / size:.0%}"
        asks = f"{p50:.1f} ms | {p95:.1f} ms | {shown:,} | {memory:,.0f} MB"
        print(f"| {name} | {built} | {asks} |", flush=True)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
