"""Build the graph of a crawl out of core, and merge what is new into it.

    merge_plan       which files are new, and which graphs and parts they are merged with
    link_rows        their rows, as arrays
    numbering        all URLs, sorted and numbered
    sorted_runs      sorted arcs on disk, and merging them
    web_as_of        rows that count at a time, for layers
    final_redirects  where redirects lead in the end
    resolving        links lead there
    row_feeder       sorted arcs become rows
    graph_builder    one step after the other, and publishing

Invariants:
- What readers see is replaced as a whole, by a rename.
- A graph into which everything was merged bit by bit is the same as one that was built from nothing.
- Rows that come twice change nothing.
- Parts that are joined make the same graph as if there had been none.
- Memory is bounded: about what is asked for, and four bytes for each URL while redirects are resolved; eight
  for a layer.
"""

from gossamer.graph.build.graph_builder import GraphBuilder, GraphProgress

__all__ = ["GraphBuilder", "GraphProgress"]
