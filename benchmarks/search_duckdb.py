"""DuckDB's side of `benchmarks.search_engines`: run by a Python that has DuckDB, and nothing of Gossamer.

python search_duckdb.py DATABASE put FILE | finish | ask QUESTIONS
"""

import json
import sys
import time
from typing import Any

_SELECT = (
    "SELECT url, title, score FROM (SELECT *, fts_main_texts.match_bm25(url, ?, conjunctive := 1) AS score "
    "FROM texts) WHERE score IS NOT NULL ORDER BY score DESC LIMIT 10"
)

_MEMORY = "6GB"
"""What it may take; beyond that it writes to files beside its own."""


def load_search(database: Any) -> None:
    """Old versions have full-text search built in; for newer ones it is a wheel of its own."""
    try:
        database.execute("LOAD fts")
    except Exception:
        from duckdb_extensions import (  # type: ignore[import-not-found, unused-ignore]
            import_extension,
        )

        import_extension("fts", con=database)
        database.execute("LOAD fts")


def put(database: Any, file: str) -> dict[str, Any]:
    database.execute(
        "CREATE TABLE IF NOT EXISTS texts (url VARCHAR, title VARCHAR, text VARCHAR);"
        f"INSERT INTO texts SELECT * FROM '{file}'"
    )
    return {}


def finish(database: Any) -> dict[str, Any]:
    database.execute("PRAGMA create_fts_index('texts', 'url', 'title', 'text', overwrite=1)")
    return {}


def ask(database: Any, questions: str) -> dict[str, Any]:
    found, shown = [], 0
    for question in json.loads(questions):
        database.execute(_SELECT, [question]).fetchall()
        start = time.process_time()
        shown += len(database.execute(_SELECT, [question]).fetchall())
        found.append(time.process_time() - start)
    return {"latencies": found, "shown": shown}


def main() -> None:
    import duckdb  # type: ignore[import-not-found, unused-ignore]

    path, what, *arguments = sys.argv[1:]
    database = duckdb.connect(path)
    load_search(database)
    database.execute(
        f"SET threads=1; SET preserve_insertion_order=false; SET memory_limit='{_MEMORY}'"
    )
    start = time.process_time()
    said = {"put": put, "finish": finish, "ask": ask}[what](database, *arguments)
    database.close()  # writes what is not in its file yet
    print(json.dumps({**said, "spent": time.process_time() - start}))


if __name__ == "__main__":
    main()
