"""Do two trees of this project bring the same results?

    python -m benchmarks.same_results OLD_TREE NEW_TREE [--site NAME=FOLDER …] [--only NAME …]

Six simulated webs (in virtual time, so that all that is decided is a function of the code) and folders of
HTML, served from loopback, are crawled with the code of each tree: tables, WARC records and the summary
are compared. Differences of each part are counted, and the first ones shown; the exit status is 1 if there
are any.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from benchmarks.same_results_crawl import WEBS
from gossamer.lab.simulator.leftovers import IN_MEMORY

_CHILD = Path(__file__).with_name("same_results_crawl.py")
_SHOWN, _LONGEST = 3, 300
_KEYS = ("url", "source", "target", "anchor")
"""By these, rows before and after belong together."""
_SITES = {
    "postgresql": "/usr/share/doc/postgresql-doc-15/html",
    "python": "/usr/share/doc/python3.11/html",
    "sqlite": "/usr/share/doc/sqlite3",
}
"""Folders of Debian's packages; those that are not there are left out."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.same_results", description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--site", action="append", default=[], help="NAME=FOLDER")
    parser.add_argument("--only", action="append", default=[], help="NAME of a web or a site")
    asked = parser.parse_args()
    given = dict(one.split("=", 1) for one in asked.site) or _SITES
    sites = {name: folder for name, folder in given.items() if Path(folder).is_dir()}
    names = [name for name in (*WEBS, *sites) if not asked.only or name in asked.only]
    differ = [
        name for name in names if not _compare(name, sites.get(name, ""), asked.old, asked.new)
    ]
    sys.exit(f"different: {', '.join(differ)}" if differ else 0)


def _compare(name: str, folder: str, old: Path, new: Path) -> bool:
    """Crawl with both, one after the other; are the results the same?"""
    with _serve(folder) as url, TemporaryDirectory(prefix="same-results-", dir=IN_MEMORY) as work:
        before, after = (_crawl(tree, name, Path(work) / "out", url) for tree in (old, new))
    is_same = True
    for part in before:
        shared = _shared_columns(name, part, before[part], after[part])
        mine, other = (
            Counter(json.dumps(_only(shared, row), sort_keys=True) for row in found[part])
            for found in (before, after)
        )
        gone, came = mine - other, other - mine
        print(
            f"{name:<12} {part:<22} {mine.total():>8,} {other.total():>8,}  {_verdict(gone, came)}",
            flush=True,
        )
        for line in _explain(gone, came):
            print(f"    {line}")
        is_same = is_same and not (gone or came)
    return is_same


def _shared_columns(name: str, part: str, before: list[Any], after: list[Any]) -> set[str] | None:
    """The columns that both have; None where rows are no objects. Columns that one has alone are printed."""
    if not all(isinstance(row, dict) for row in (*before[:1], *after[:1])) or not (
        before and after
    ):
        return None
    old, new = set[str](before[0]), set[str](after[0])
    for verb, names in (("added", new - old), ("removed", old - new)):
        if names:
            print(f"{name:<12} {part:<22} columns {verb}: {', '.join(sorted(names))}", flush=True)
    return old & new


def _only(columns: set[str] | None, row: Any) -> Any:
    return row if columns is None else {name: row[name] for name in row if name in columns}


def _verdict(gone: Counter[str], came: Counter[str]) -> str:
    return f"DIFFERENT: {gone.total():,} gone, {came.total():,} new" if gone or came else "same"


def _explain(gone: Counter[str], came: Counter[str]) -> Iterator[str]:
    """The first differences: of rows that belong together, only what differs."""
    others = {_key(json.loads(line)): json.loads(line) for line in came}
    for line in [*gone][:_SHOWN]:
        row = json.loads(line)
        other = others.get(_key(row))
        if isinstance(row, dict) and isinstance(other, dict):
            names = [name for name in row if row[name] != other.get(name)]
            yield f"{_key(row)}: " + "; ".join(
                _tell(name, row[name], other.get(name)) for name in names
            )
        else:
            yield f"gone: {line[:_LONGEST]}"
    for line in [*came][:_SHOWN] if not gone else ():
        yield f"new: {line[:_LONGEST]}"


def _key(row: Any) -> str:
    return str([row.get(name) for name in _KEYS]) if isinstance(row, dict) else str(row)


def _tell(name: str, before: str, after: object) -> str:
    """Two values from the place on where they differ."""
    after = str(after)
    pairs = enumerate(zip(before, after, strict=False))
    at = max(0, next((place for place, (one, two) in pairs if one != two), 0) - 20)
    return f"{name} …{before[at : at + _LONGEST]} -> …{after[at : at + _LONGEST]}"


def _crawl(tree: Path, name: str, out: Path, url: str) -> dict[str, Any]:
    """The same folder for both: its name is in settings and in what is said of it."""
    result = out.with_suffix(".json")
    sources = tree.resolve() / "src"
    env = {**os.environ, "PYTHONPATH": str(sources), "PYTHONHASHSEED": "0"}
    arguments = [sys.executable, str(_CHILD), name, str(out), str(result), *([url] if url else [])]
    subprocess.run(arguments, env=env, check=True, cwd=tree)
    found: dict[str, Any] = json.loads(result.read_bytes())
    for one in (out, out.with_name(f"{out.name}-first")):
        if one.exists():
            subprocess.run(["rm", "-r", str(one)], check=True)
    return found


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        return


@contextmanager
def _serve(folder: str) -> Iterator[str]:
    """A folder on loopback; its root has a page that names all HTML files, unless it has its own."""
    if not folder:
        yield ""
        return
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=folder))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


if __name__ == "__main__":
    main()
