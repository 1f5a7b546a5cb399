"""Counts crawls, each in a fork of a process that has warmed up: python -m tools.costs.child [NAME …]

What is loaded, compiled or kept for the first time in a process is no cost of a page. So the process first
runs every crawl on another web; then each count begins in the same state.
"""

import gc
import os
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import CodeType

import msgspec

from gossamer.engine.warm import load
from tools.costs.allocations import Allocations
from tools.costs.code_events import CodeEvents
from tools.costs.counts import Counts
from tools.costs.crawls import CRAWLS, run
from tools.costs.seams import counted_seams

_WARM_SEED, _SEED = 1, 2


def main() -> None:
    load()
    gc.disable()
    for crawl in CRAWLS.values():
        run(crawl, _WARM_SEED, nullcontext(nullcontext))
    gc.collect()
    gc.freeze()
    names = sys.argv[1:] or list(CRAWLS)
    counts = {name: _in_fork(name) for name in names}
    sys.stdout.buffer.write(msgspec.json.encode(counts))


def _in_fork(name: str) -> Counts:
    ends = [_fork(kind, name) for kind in (_count_code, _count_allocations)]
    code, memory = (_result(*end) for end in ends)
    return msgspec.structs.replace(code, totals={**code.totals, **memory.totals})


def _fork(count: Callable[[str], Counts], name: str) -> tuple[int, int]:
    ours, theirs = os.pipe()
    pid = os.fork()
    if not pid:
        status = 1
        try:
            os.close(ours)
            data = msgspec.msgpack.encode(count(name))
            with os.fdopen(theirs, "wb") as file:
                file.write(data)
            status = 0
        finally:
            if status:
                traceback.print_exc()
            os._exit(status)
    os.close(theirs)
    return pid, ours


def _result(pid: int, end: int) -> Counts:
    with os.fdopen(end, "rb") as file:
        data = file.read()
    if os.waitpid(pid, 0)[1]:
        sys.exit("a crawl could not be counted; its error is above")
    return msgspec.msgpack.decode(data, type=Counts)


def _count_code(name: str) -> Counts:
    events, seams = CodeEvents(), Counter[str]()
    with counted_seams(seams):
        size = run(CRAWLS[name], _SEED, events.counting())
    called = events.called()
    totals = {
        "pages": size.pages,
        "links": size.links,
        "calls": sum(called.values()),
        "bytecodes": sum(events.bytecodes.values()),
        "system calls": sum(events.system.values()),
        **seams,
    }
    functions: dict[str, tuple[int, int]] = {}
    for number, code in events.functions.items():
        key = _name(code)
        calls, bytecodes = functions.get(key, (0, 0))
        functions[key] = (calls + called.get(code, 0), bytecodes + events.bytecodes[number])
    return Counts(totals, functions, dict(events.system))


def _name(code: CodeType) -> str:
    """`pipeline/seen/disk_seen.py DiskSeen.admit`; of libraries the last folder is told."""
    _, is_ours, place = code.co_filename.rpartition(f"{os.sep}gossamer{os.sep}")
    path = place if is_ours else f"(library) {os.sep.join(Path(code.co_filename).parts[-2:])}"
    return f"{path} {code.co_qualname}"


def _count_allocations(name: str) -> Counts:
    memory = Allocations()
    run(CRAWLS[name], _SEED, memory.counting())
    return Counts({"allocations": memory.count}, {}, {})


if __name__ == "__main__":
    main()
