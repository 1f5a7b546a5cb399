"""The text index of the crawl that is shown: opened once, and again when it has changed."""

from pathlib import Path
from typing import Any

from gossamer.core.errors import GossamerError
from gossamer.dashboard.file_stamp import stamps
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.search.build import Index


def open_index(crawl: ShownCrawl) -> Index:
    """The index as it is now; `GossamerError` says which command makes it."""
    _check_engine()
    if crawl.in_storage is not None:
        crawl.in_storage.refuse("the text index", "gossamer index DIR")
    return crawl.keep("index", _mark(crawl.path), lambda: Index.open(crawl.path))


def _check_engine() -> None:
    try:
        import tantivy  # noqa: F401
    except ImportError:
        raise GossamerError(
            "the index needs the library tantivy; install it with: pip install 'gossamer[search]'"
        ) from None


def _mark(crawl: Path) -> Any:
    """Each commit replaces a file of its shard."""
    files = [*(crawl / "index").glob("*.json"), *(crawl / "index").glob("*/meta.json")]
    return stamps(sorted([*files, crawl / "crawl.toml"]))
