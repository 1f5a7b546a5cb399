"""Judge a page after it was parsed: is it a copy, is it worth its fetch, what language is it in?

In: the pages of a turn (`core/page_batch.py`). Out: columns of the pages table, and effects on the page that
was judged. Each analyzer is a file or a package with a `Declaration` (`core/analyzer_protocol.py`) and a line
in `core/analyzer_registry.py`; `gossamer.engine` connects them. No stage of the pipeline imports them, and
they do not import each other.
"""
