"""Parsers that could crash, hang or eat memory run in a child process with limits.

In comes a page and the name of its parser (`package.module:function`); out comes a report, in a later
turn. A child reads one page at a time, and many one after the other:

    Sandbox ─page─▶ Worker ══ socket ══▶ child: limits, then parser(page)
      ▲                │ ◀══ report ═══
      └── Report ──────┘      or it crashes, or reaches the time limit

The ring never waits. A page is handed over in shared memory, so that no write can block, and the child's
socket is watched by the ring's own poller. A page's report takes at most `sandbox_seconds` once its turn
has come; then the child is killed, and the next one is started when there is something to read.

`sandbox_task` is the protocol of the socket, `sandbox_child` the child's end, `sandbox_worker` one child as
the crawl sees it, `sandbox_pool` all of them and the pages that wait.

Invariants:
- For each page given there is one report, whatever the parser does: a crash, a hang, too much memory and
  nonsense on the socket have names (`ParseFailure`).
- What a child says is not trusted: it is decoded with types and bounds.
- A child ends when its crawl does, even when the crawl is killed: the end of the socket ends one that
  waits, and a timer of its own one that does not.
"""

from gossamer.pipeline.parse.sandbox.isolated import Isolated
from gossamer.pipeline.parse.sandbox.sandbox_pool import Sandbox, SandboxStatistics
from gossamer.pipeline.parse.sandbox.sandbox_task import SandboxReport

__all__ = ["Isolated", "Sandbox", "SandboxReport", "SandboxStatistics"]
