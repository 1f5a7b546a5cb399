"""One crawl of the comparison, run with the code of one tree: what it wrote, as JSON.

    PYTHONPATH=TREE/src python same_results_crawl.py NAME OUT RESULT [URL]

It uses what both trees have, and imports nothing of the tree that it stands in.
"""

import json
import sys
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pyarrow.parquet as pq
from fastwarc.warc import ArchiveIterator

import gossamer
from gossamer.core.clock import VirtualClock
from gossamer.core.disk import disk_files
from gossamer.core.settings_file import change
from gossamer.lab.living_web import LivingWeb
from gossamer.lab.simulated_web import Web
from gossamer.lab.simulator.simulated_connections import Mishaps
from gossamer.lab.simulator.simulated_disk import SimulatedDisk
from gossamer.lab.simulator.simulated_network import Network
from gossamer.lab.simulator.simulated_world import SimulatedCrawl, SimulatedWorld
from gossamer.lab.simulator.virtual_actors import Stage

_START = 1_800_000_000.0
_DAY = 86_400.0
_USUAL = {
    "scope.kind": "all",
    "fetch.allow_private": True,
    "dns.families": ["ipv4"],
    "politeness.delay": 0.5,
    "politeness.factor": 0.0,
    "store.tables_every": 1e8,
}
_OF_THE_CLOCK = {"seconds", "fetched_at", "refers_at", "warc_file", "warc_offset", "warc_length"}
"""Columns that differ from run to run where time is real."""
_OFFSET = "warc_offset"
"""A file begins with the settings as they were written: all that follows may be moved by some bytes."""


class Days:
    """The day that a virtual clock says, for a living web."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock

    def days(self) -> float:
        return (self._clock.now() - _START) / _DAY


def crawl_web(web: Web, out: Path, clock: VirtualClock, **changes: Any) -> dict[str, Any]:
    stage = Stage(clock, SimulatedDisk(clock, Random(1)), Random(2), Mishaps())
    world = SimulatedWorld(stage, Network(web, clock, 8), Random(3), clock.now)
    settings = change(gossamer.Settings(), {**_USUAL, **changes})
    crawl = SimulatedCrawl(web.seed_url, out=out, settings=settings, world=world)
    with patch.object(disk_files, "system", SimulatedDisk(clock, Random(1))):
        assert stage.play(stage.enter(crawl.turns), lambda: None)
    return results_of(out, crawl.summary(), frozenset())


def plain(out: Path) -> dict[str, Any]:
    web = Web(7, 400, 20, behaviours=["correct"])
    return crawl_web(web, out, VirtualClock(_START))


def redundant(out: Path) -> dict[str, Any]:
    web = Web(8, 300, 10, behaviours=["redundant"])
    return crawl_web(web, out, VirtualClock(_START), **{"crawl.max_pages": 1500})


def errors(out: Path) -> dict[str, Any]:
    names = [
        "soft_errors",
        "duplicates",
        "nofollow",
        "meta_robots",
        "redirects",
        "errors",
        "aliases",
    ]
    web = Web(9, 400, 8, behaviours=names)
    return crawl_web(web, out, VirtualClock(_START))


def shared(out: Path) -> dict[str, Any]:
    web = Web(10, 400, 20, behaviours=["duplicates", "redirects", "errors", "soft_errors"])
    return crawl_web(web, out, VirtualClock(_START), **{"crawl.partitions": 2})


def again(out: Path) -> dict[str, Any]:
    clock = VirtualClock(_START)
    web = LivingWeb(
        11, 60, 4, clock=Days(clock), epoch=_START, behaviours=["duplicates", "redirects"]
    )
    limits = {"revisit.continuous": True, "crawl.max_seconds": 6 * _DAY, "crawl.max_pages": 400}
    return crawl_web(web, out, clock, **limits)


def known(out: Path) -> dict[str, Any]:
    clock = VirtualClock(_START)
    web = LivingWeb(
        12, 120, 6, clock=Days(clock), epoch=_START, behaviours=["duplicates", "meta_robots"]
    )
    first = crawl_web(web, out.with_name(f"{out.name}-first"), clock)
    clock.advance(10 * _DAY)
    second = crawl_web(web, out, clock, **{"crawl.known": str(out.with_name(f"{out.name}-first"))})
    parts = {"first": first, "second": second}
    return {f"{part} {name}": rows for part, one in parts.items() for name, rows in one.items()}


WEBS: dict[str, Callable[[Path], dict[str, Any]]] = {
    one.__name__: one for one in (plain, redundant, errors, shared, again, known)
}


def crawl_site(url: str, out: Path) -> dict[str, Any]:
    """One server, one request at a time: the order does not depend on how fast it answers."""
    changes = {**_USUAL, "scope.kind": "host", "politeness.delay": 0.0, "fetch.transfers": 1}
    crawl = gossamer.Crawl(url, out=out, settings=change(gossamer.Settings(), changes))
    for _ in crawl:
        pass
    return results_of(out, crawl.summary(), frozenset(_OF_THE_CLOCK))


def results_of(out: Path, summary: Any, without: frozenset[str]) -> dict[str, Any]:
    """Tables, records and decisions of a crawl."""
    found: dict[str, Any] = {}
    hidden = {*without, _OFFSET}
    for table in ("pages", "links"):
        files = sorted(out.glob(f"{table}/*.parquet"))
        rows = [row for file in files for row in pq.read_table(file).to_pylist()]
        found[table] = [
            {name: str(value) for name, value in row.items() if name not in hidden} for row in rows
        ]
        found[f"{table} columns"] = [
            {field.name: str(field.type) for field in pq.read_schema(file)} for file in files
        ][:1]
    found["records"] = sorted(_records(out, bool(without)))
    said = {name: _show(getattr(summary, name)) for name in summary.__struct_fields__}
    for name in ("seconds", "pages_per_second", "directory", "disk", "found", "wait_seconds"):
        said.pop(name, None)
    found["summary"] = [said]
    return found


def _show(value: Any) -> str:
    """The decisions of a crawl are in no order that the next run would have."""
    is_words = isinstance(value, tuple) and any(isinstance(one, str) for one in value)
    return str(sorted(value) if is_words else value)


def _records(out: Path, is_real: bool) -> list[str]:
    """Each record: its fields without what is drawn for it, and a digest of its payload."""
    found = []
    for file in sorted(out.glob("warc/*.warc.gz")):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, parse_http=False):
                fields = dict(record.headers.items())
                if fields["WARC-Type"] == "warcinfo":
                    continue  # it has the settings, which may have more sections now
                for name in ("WARC-Record-ID", "WARC-Concurrent-To"):
                    fields.pop(name, None)
                body = record.reader.read()
                if is_real:
                    for name in ("WARC-Date", "WARC-Refers-To-Date", "WARC-Block-Digest"):
                        fields.pop(name, None)
                    body = body.partition(b"\r\n\r\n")[2]
                found.append(f"{sorted(fields.items())} {sha256(body).hexdigest()}")
    return found


def main(name: str, out: str, result: str, url: str = "") -> None:
    run = partial(crawl_site, url) if url else WEBS[name]
    Path(result).write_text(json.dumps(run(Path(out))))


if __name__ == "__main__":
    main(*sys.argv[1:])
