"""Bytes to text and links.

In comes a batch of pages, out goes a batch of documents, one for each page and in the same order.
`Parsers` looks at what the server says about a body, and at the body when the server does not
know, and chooses a reader:

- `html` reads HTML as a browser without scripts does. `tree` builds the tree with lexbor; `scan`
  reads tag by tag the few pages that `tame` finds dangerous to build a tree from.
- `lists` reads XML, text and gzip files that turn out to be sitemaps (`sitemap`) or feeds
  (`feed`). `xml` reads them however broken they are.
- Everything else, and every page that did not arrive, becomes a document without links.

`encodings` decides what the bytes mean, `directives` what the page asks of robots.

Invariants: no input raises an exception; time and memory are linear in the size of the body and
bounded by the settings; links come in the order they stand in the page, are absolute, and can be
fetched at least in principle (`http`, `https`, `ftp`, `file`); a link that is no URL is counted in
`bad_links` and otherwise forgotten.
"""

from gossamer.cycle.parse.parsers import Parser, Parsers

__all__ = ["Parser", "Parsers"]
