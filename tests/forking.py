"""Says it when a test forks beside a thread that is not known to be harmless.

Servers of simulated webs and commands are forks of the process of the tests. A fork has no thread but the
one that made it: what another thread held at that moment, such as a lock, stays held there for ever. Python
warns of any other thread since 3.12; that warning is left out (`filterwarnings` in pyproject.toml), as these
are always there:

- the receiver of execnet, by which pytest-xdist talks to its processes: it waits in `read` and holds nothing
  that a fork would use, which never talks to the other end;
- threads of libraries that make their locks fit for a fork themselves (`pthread_atfork`): jemalloc and the
  pools of Arrow, OpenBLAS;
- tantivy's and DuckDB's: they wait for work of objects that no fork uses;
- those of `HARMLESS`.

The crawler itself forks its partitions in the thread that runs the crawl, before it has threads of its own
(`gossamer.cluster.crawl`), and spawns processes where threads may run: `gossamer.text.text_build`,
`gossamer.search.build.index_processes`.
"""

import os
import threading
import warnings

HARMLESS = {
    "_ChannelShutdownManager._run_safe_shutdown_loop": "pycares: waits in a queue, to free what was closed",
    "ThreadedChildWatcher._do_waitpid": "asyncio: waits for the end of Playwright's driver",
    "BaseServer.serve_forever": "a server of the tests: it uses nothing but its own sockets",
    "ThreadingMixIn.process_request_thread": "the same, for one of its requests",
    "MisbehavingServer._accept": "a server of the tests: it uses nothing but its own sockets",
    "MisbehavingServer._converse": "the same, for one of its connections",
    "NameServer._serve": "a name server of the tests, the same",
    "Server.run": "a simulated web that a test serves in a thread: it uses nothing but its own sockets",
    "DashboardServer.run": "a dashboard of the tests: the fork, a simulated web, uses nothing of it",
    "AnyIO worker thread": "reads files for such a dashboard, the same",
    "MainThread": "waits for a crawl that a test runs in a thread, and holds nothing meanwhile",
    "PythonGCThread": "Ray's, in a process that called it: no fork calls Ray",
    "listen_error_messages": "the same",
    "ConnectionListener._listen": "waits for calls; a forked partition calls, and never answers",
    "ConnectionListener._answer": "the same, for one of the calls",
}
"""What threads do that may run while a test forks, and why that is safe."""


def watch() -> None:
    """Look at each fork of this process from now on."""
    process = os.getpid()
    os.register_at_fork(before=lambda: _look(process))


def _look(process: int) -> None:
    """A fork that forks on is not looked at: nobody would hear of it."""
    if os.getpid() == process and (found := suspects()):
        warnings.warn(f"forks beside threads: {', '.join(found)}", RuntimeWarning, stacklevel=3)


def suspects() -> list[str]:
    """What the threads of this process do, but for this one and the harmless ones."""
    others = [one for one in threading.enumerate() if one is not threading.current_thread()]
    doing = [getattr(getattr(one, "_target", None), "__qualname__", one.name) for one in others]
    return sorted(what for what in doing if what not in HARMLESS and not _is_of_tests(what))


def _is_of_tests(what: str) -> bool:
    """Is it a function within a test or a fixture? Those answer on sockets, and share nothing with forks."""
    return "<locals>" in what
