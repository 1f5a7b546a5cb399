"""Who links to whom: the connectivity server of a crawl (Introduction to Information Retrieval, 20.4)."""

from gossamer.harvest.graph.graph import Graph

__all__ = ["Graph"]
