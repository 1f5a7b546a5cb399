"""Compressed graphs in the format of WebGraph (Boldi and Vigna): LAW's files open here, and ours open there.

In come rows, in order of their nodes; out come rows, in any order. A row is where the arcs of a node lead.

    bit_codes      codes of numbers, read, written and measured
    encoding       rows become bits; how many bits a row takes up with each reference
    choosing       which row each row refers to
    decoding       bits become rows
    bit_file       bits are written to a file
    offset_search  offsets are made where they are missing
    starts         where each row begins, as Elias and Fano code it
    block_checks   checksums of blocks, compared when a block is first read
    bit_mapping    files that are mapped into memory
    bv_properties  what the bits mean, as WebGraph says it
    bv_writer      a graph is written, chunk by chunk
    bv_graph       a graph is read, mapped into memory

Invariants:
- Only WebGraph's default codings are read and written (γ, ζ3, unary), with any window, chain and shortest
  interval.
- A damaged file is reported in one line. It is never read outside of its bytes, and no node is outside of the
  graph.
"""

from gossamer.graph.bv.bv_graph import BVGraph, GraphRows
from gossamer.graph.bv.bv_writer import BVWriter

__all__ = ["BVGraph", "BVWriter", "GraphRows"]
