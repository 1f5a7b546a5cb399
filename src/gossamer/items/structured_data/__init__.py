"""Structured data: what a page says of its items in JSON-LD, microdata, RDFa, OpenGraph and microformats.

In: the tree of a page and its URL. Out: `Entity` objects in the order of the page, each with its types and
properties as found; what is nested stays nested. Broken markup is read as far as it goes.
"""
