"""What a search costs, by the number of pages: time to build, bytes, and latency of questions of two words.

    python -m benchmarks.search_speed FOLDER [--pages 100000] [--questions 300] [--only gossamer,fts5,duckdb]
        [--minutes 7] [--keep]

The pages are texts of the simulated web. The same go to Gossamer's index, to SQLite's FTS5 and to DuckDB's
full-text search; each is asked the same questions (`benchmarks.search_engines`). All are warm: each question
is asked twice, and the second time counts. One thread each; seconds are of CPU. DuckDB takes part when
GOSSAMER_DUCKDB names a Python that has it (0.7.1 has full-text search built in); nothing is fetched for it.

A million pages take long: what is not done after so many minutes is left, and goes on when the command is
given again.
"""

import argparse
import os
import shutil
import sys
import time
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.search_engines import DUCKDB, ENGINES, Engine
from benchmarks.search_texts import block, blocks, questions

_PROGRESS = "progress.json"


class Progress(Struct):
    """How far an engine has come."""

    blocks: int = 0
    characters: int = 0
    spent: float = 0.0
    is_finished: bool = False


def build(engine: Engine, folder: Path, pages: int, until: float) -> Progress | None:
    """Fill an engine; nothing if there was too little time."""
    path = folder / _PROGRESS
    progress = (
        msgspec.json.decode(path.read_bytes(), type=Progress) if path.exists() else Progress()
    )
    while progress.blocks < blocks(pages):
        if time.monotonic() > until:
            progress.spent += engine.pause()
            path.write_bytes(msgspec.json.encode(progress))
            return None
        texts = block(progress.blocks, pages)
        progress.spent += engine.put(texts)
        progress.characters += sum(len(title) + len(text) for _, title, text in texts)
        progress.blocks += 1
        path.write_bytes(msgspec.json.encode(progress))
    if not progress.is_finished:
        progress.spent += engine.finish()
        progress.is_finished = True
        path.write_bytes(msgspec.json.encode(progress))
    return progress


def show(
    name: str, engine: Engine, folder: Path, progress: Progress, count: int, pages: int
) -> None:
    kept = sum(one.stat().st_size for one in folder.rglob("*") if one.is_file())
    spent, size = progress.spent, progress.characters
    built = f"{spent:.0f} | {pages / spent:,.0f} | {kept:,} | {kept / size:.0%}"
    for way, (found, shown) in engine.latencies(questions(count)).items():
        found.sort()
        p50, p95 = (found[int(len(found) * part)] * 1e3 for part in (0.5, 0.95))
        who = f"{name}, {way}" if way else name
        print(
            f"| {who} | {size / 1e6:,.0f} MB | {built} | {p50:.1f} ms | {p95:.1f} ms | {shown:,} |"
        )
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--only", default=",".join(ENGINES))
    parser.add_argument("--minutes", type=float, default=7)
    parser.add_argument("--keep", action="store_true", help="leave what was built where it is")
    arguments = parser.parse_args()
    until, pages = time.monotonic() + 60 * arguments.minutes, arguments.pages
    print(f"{pages:,} pages, {arguments.questions} questions of two words\n")
    print(
        "| engine | text | build, CPU s | pages a CPU s | bytes | of the text | p50 | p95 | shown |"
    )
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    for name in arguments.only.split(","):
        if name == "duckdb" and DUCKDB not in os.environ:
            print(f"DuckDB is left out: {DUCKDB} names no Python that has it")
            continue
        folder = arguments.folder / f"{name}-{pages}"
        folder.mkdir(parents=True, exist_ok=True)
        engine = ENGINES[name](folder)
        progress = build(engine, folder, pages, until)
        if progress is None:
            print(f"{name} is not done yet: give the command again to go on")
            return
        show(name, engine, folder, progress, arguments.questions, pages)
        if not arguments.keep:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
