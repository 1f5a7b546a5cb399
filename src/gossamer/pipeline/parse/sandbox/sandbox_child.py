"""The child's end: limits first, then page after page until the socket ends.

python -m gossamer.pipeline.parse.sandbox.sandbox_child DESCRIPTOR MEMORY SECONDS
"""

import math
import resource
import signal
import socket
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint

from gossamer.core.mistakes import describe, trace_of
from gossamer.core.outcomes import ParseFailure
from gossamer.core.records import Document, Page
from gossamer.pipeline.parse.checked import checked
from gossamer.pipeline.parse.sandbox.sandbox_task import (
    HELLO,
    SandboxReport,
    clean,
    read_task,
    report_of,
    write_report,
)

_GRACE = 5.0
"""Seconds after which the child ends by itself, if nobody has killed it when its time was up."""


def serve(connection: socket.socket, seconds: float) -> None:
    """Read pages until there are no more, or one took all the memory there is."""
    connection.sendall(HELLO)
    while True:
        _, descriptors, _, _ = socket.recv_fds(connection, 1, 1)
        if not descriptors:
            return
        _begin(seconds)
        report = perform(descriptors[0])
        connection.sendall(write_report(report))
        signal.setitimer(signal.ITIMER_REAL, 0)
        if report.failure is ParseFailure.TOO_LARGE:
            return


def perform(descriptor: int) -> SandboxReport:
    """Read one page. What the parser raises is told with its traceback."""
    try:
        reference, page = read_task(descriptor)
        return report_of(checked(_load(reference)(page), page))
    except MemoryError:
        return SandboxReport(ParseFailure.TOO_LARGE, "not enough memory")
    except Exception as error:
        return SandboxReport(
            ParseFailure.BROKEN, clean(describe(error)), trace=clean(trace_of(error))
        )


def limit_memory(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _begin(seconds: float) -> None:
    """A core's seconds are limited, and those of the clock, should the crawl be gone by then."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    spent = usage.ru_utime + usage.ru_stime
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(spent + seconds), hard))
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE)


@cache
def _load(reference: str) -> Callable[[Page], Document]:
    parser: Callable[[Page], Document] = EntryPoint("", reference, "").load()
    return parser


def main(descriptor: int, memory: int, seconds: float) -> None:
    limit_memory(memory)
    with socket.socket(fileno=descriptor) as connection:
        serve(connection, seconds)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
