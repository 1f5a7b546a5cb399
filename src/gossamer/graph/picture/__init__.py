"""Pictures of a web graph, as SVG: light or dark as the reader has it, without scripts.

`svg.py` is what they have in common. `bow_tie_picture.py` draws the bow-tie, `degree_picture.py` a
distribution with its power law, `host_picture.py` who links to whom among hosts, at places that
`force_layout.py` finds. `picture_page.py` is a page of HTML, `picture_pages.py` the pages there are.
"""
