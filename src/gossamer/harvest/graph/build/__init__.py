"""How the graph of a crawl comes to be, out of core, and how what is new is merged into it.

    plan         which files are new
    tables       their rows, as arrays
    numbering    all URLs, sorted and numbered
    sorted_runs  sorted arcs on disk, and merging them
    redirects    where redirects lead in the end
    row_feeder   sorted arcs become rows
    builder      one step after the other, and publishing

Invariants:
- What readers see is replaced as a whole, by a rename.
- A graph into which everything was merged bit by bit is the same as one that was built from nothing.
- Rows that come twice change nothing.
- Memory is bounded: about what is asked for, and four bytes for each URL while redirects are resolved.
"""

from gossamer.harvest.graph.build.builder import GraphBuilder, GraphProgress

__all__ = ["GraphBuilder", "GraphProgress"]
