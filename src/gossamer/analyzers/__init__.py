"""Judge a page after it was parsed: a duplicate, or one that is not worth its fetch.

Each analyzer is a package that no stage of the pipeline imports; `gossamer.engine` connects them.
"""
