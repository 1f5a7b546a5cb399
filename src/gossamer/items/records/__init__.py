"""Records: the parts of a page that repeat, and what they are.

In: the tree of a page and its URL. Out: regions of records (`record_regions`), each with the link to its
item; what links are for (`link_purposes`); the posts of a thread and the comments on a page (`posts`).
"""
