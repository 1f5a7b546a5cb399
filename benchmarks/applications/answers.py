"""Answers of an application, kept in a file: a second crawl of the same folder asks nobody."""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from benchmarks.applications.origin import Origin, Reply

_TABLE = "create table if not exists answer (target text primary key, status int, fields text, body blob)"


@contextmanager
def kept_answers(path: Path, origin: Origin) -> Iterator[Origin]:
    """The same origin, which is asked only for what is not in the file yet.

    So all crawls see the same bytes, whatever changes with time in the application.
    """
    lock = threading.Lock()
    with closing(sqlite3.connect(path, check_same_thread=False)) as base:
        base.execute("pragma synchronous=off")
        base.execute(_TABLE)

        def ask(target: str) -> Reply:
            with lock:
                row = base.execute(
                    "select status, fields, body from answer where target = ?", (target,)
                ).fetchone()
            if row:
                return Reply(row[0], tuple(map(tuple, json.loads(row[1]))), row[2])
            reply = origin(target)
            if reply.status >= 500:
                return reply  # something is wrong, and may be right next time
            with lock, base:
                base.execute(
                    "insert or ignore into answer values (?, ?, ?, ?)",
                    (target, reply.status, json.dumps(reply.fields), reply.body),
                )
            return reply

        yield ask
