"""Kernels that look at every byte of a page which is read deeply.

A tree that is walked from Python costs an object for each node. Written out again as HTML it is one run of
bytes in which every tag is closed and every value quoted; what is asked of all its nodes is counted there.

    bytes of a page            ─▶ tags: what a tree of it could cost at most
    bytes of a tree's spelling ─▶ tree: a table of its elements, and of the text in each
                               ─▶ values: their different names, each once
    the table, and what names say (`element_kinds`)
                               ─▶ boilerplate: which elements are not the article
                               ─▶ container: where most of its prose stands
    bytes of a text            ─▶ lines: a number for each
"""
