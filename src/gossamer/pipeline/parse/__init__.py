"""Bytes to text and links.

In comes a batch of pages, out goes a batch of documents, one for each page and in the same order; those
that are read in a sandbox come later. `Parsers` chooses a reader by the media type that the server sends, or
by the first bytes of the body:

- `html` reads HTML as a browser without scripts does: `html_kernel` goes over its bytes once,
  `kernel_findings` makes columns of what it found, `targets` joins addresses with their base.
- `loading` reads style sheets (`css`), scripts (`modules`) and drawings (`svg_links`) for what they load, in
  crawls that also fetch what pages need to be displayed.
- `lists` reads XML, text and gzip files that turn out to be sitemaps (`sitemap`) or feeds
  (`feed`). `xml` reads them however broken they are.
- `plain_text` reads text, `markdown` Markdown, `pdf` PDF; `installed` finds the parsers of other packages.
- `sandbox` runs parsers that could crash, hang or use too much memory (PDF) in a child process.
- `extraction` reads a page in full, on demand: metadata, dates, main text.
- Everything else, and every page that did not arrive, becomes a document without links.

`media` and `sniffing` say what a body is, `encodings` what its bytes mean, `directives` what the page
asks of robots.

Invariants: no input raises an exception; time and memory are linear in the size of the body and
bounded by the settings, and a page that cannot be read says why (`failure`); links come in the order
they stand in the page, are absolute, and can be fetched at least in principle (`http`, `https`, `ftp`,
`file`); a link that is no URL is counted in `bad_links` and otherwise forgotten, and so is one that a long
base makes too much.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gossamer.pipeline.parse.installed import find_installed
    from gossamer.pipeline.parse.loading import LOADING
    from gossamer.pipeline.parse.parsers import Parser, Parsers
    from gossamer.pipeline.parse.sandbox import Isolated

__all__ = ["LOADING", "Isolated", "Parser", "Parsers", "find_installed"]

_MODULES = {
    "LOADING": "loading",
    "Isolated": "sandbox",
    "Parser": "parsers",
    "Parsers": "parsers",
    "find_installed": "installed",
}


def __getattr__(name: str) -> Any:
    """Import a name when it is first used: a child of `apart` needs none, and starts without the compiler."""
    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
