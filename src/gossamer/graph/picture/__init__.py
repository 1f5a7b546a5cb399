"""Pictures of a web graph, as SVG: light or dark as the reader has it, without scripts.

`svg.py` is what they have in common. `bow_tie.py` draws the bow-tie, `degrees.py` a distribution with its
power law, `hosts.py` who links to whom among hosts, at places that `layout.py` finds. `page.py` is a page of
HTML, `pages.py` the pages there are.
"""
