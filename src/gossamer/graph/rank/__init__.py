"""Rankings of a crawl's web graph, and its structure.

In: a graph as arrays (`arcs.py`): who links to whom, and its transpose. Out: numbers for each page, each host
and each pay-level domain, and what the web is made of.

`graph_pagerank.py` solves PageRank, also weighted, personalised and from trusted pages. `hits.py` finds
hubs and authorities around a query. `distances.py` and `hyperball.py` tell how far pages are from each
other, and with it harmonic centrality and supporters. `folding.py` makes graphs of hosts and domains from
that of pages. `components.py` and `bow_tie.py` take a web apart, `power_law.py` fits the tails of its
degrees. `ranked_web.py` is what a crawl has found, `graph_opening.py` unpacks it; `rank_measures.py` has
rankings by name, `rank_tables.py` writes them.

Invariants: the same comes out each time, whatever the number of threads; nothing is recursive; nothing is
written by what computes.
"""
