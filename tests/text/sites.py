"""A small site with a page of every kind that has text, and crawls of it."""

import gzip
import os
import pickle
import signal
from pathlib import Path
from typing import Any

import duckdb

import gossamer
from gossamer.text import build_texts
from gossamer.text.text_chunk import Chunk, ChunkResult, process_chunk
from tests.engine.static import StaticSite
from tests.pipeline.parse.pdfs import write_pdf

SENTENCE = "The committee will meet on Thursday to discuss what they have found out so far. "
ARTICLE = (
    "<html lang=en><title>Article</title><meta name=description content='About it'>"
    "<meta property=article:published_time content=2024-03-01><meta property=og:type content=article>"
    '<script type="application/ld+json">{"@type": "Article", "author": {"name": "A. Leaf"}}</script>'
    f"<nav>Menu of many things</nav><main><p>{SENTENCE * 4}</p></main>"
).encode()
CONTENT: dict[str, tuple[str, bytes]] = {
    "/": (
        "text/html",
        b"<title>Home</title>" + b"".join(
            b"<a href=%s>x</a>" % name
            for name in (b"article", b"copy", b"paper.pdf", b"notes.md", b"words.txt", b"picture", b"late")
        ),
    ),
    "/article": ("text/html; charset=utf-8", ARTICLE),
    "/copy": ("text/html; charset=utf-8", ARTICLE),
    "/paper.pdf": ("application/pdf", write_pdf([SENTENCE * 3], [], "Paper")),
    "/notes.md": ("text/markdown", f"# Notes\n\n{SENTENCE * 3}".encode()),
    "/words.txt": ("text/plain", (SENTENCE * 3).encode()),
    "/picture": ("image/png", b"\x89PNG\r\n\x1a\n"),
}  # fmt: skip
LATE = {"/late": ("text/html", f"<title>Late</title><p>{SENTENCE * 3}".encode())}
PACKED = gzip.compress(ARTICLE)


def crawl(site: StaticSite, out: Path, **knobs: Any) -> gossamer.Crawl:
    options = {"delay": 0, "allow_private": True, "sandbox_seconds": 30.0, **knobs}
    return gossamer.Crawl(f"{site.origin}/", out=out, **options)


def rows(out: Path, columns: str = "*") -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        source = f"read_parquet('{out}/text/*.parquet')"
        return connection.execute(f"select {columns} from {source} order by url").fetchall()


def die_of_notes(chunk: Chunk) -> ChunkResult:
    """Reading this one page kills the process."""
    if any(capture.url.endswith("/notes.md") for capture in chunk.captures):
        os.kill(os.getpid(), signal.SIGKILL)
    return process_chunk(chunk)


def note_and_wait(chunk: Chunk) -> ChunkResult:
    """Leave the chunk and the number of this process beside the crawl, and never end."""
    beside = chunk.file.parents[3]
    (beside / "chunk").write_bytes(pickle.dumps(chunk))
    (beside / "pid.tmp").write_text(str(os.getpid()))
    (beside / "pid.tmp").rename(beside / "pid")
    while True:
        signal.pause()


def build_and_wait(out: Path) -> None:
    """What a process does that is to be killed while another one reads pages for it."""
    for _ in build_texts(out, workers=1, work=note_and_wait):
        pass
