"""The content of unchanged pages, which is in the crawls before."""

from collections import Counter
from pathlib import Path

from gossamer.engine.earlier_crawls import Responses, unchanged_digests


def find_content(path: Path) -> str:
    """Follow every pointer; that the responses themselves are whole, their own crawl can tell."""
    responses = Responses(path, unchanged_digests(path))
    found = Counter(responses.find(digest) is not None for digest in unchanged_digests(path))
    if missing := found[False]:
        lost = f"; {responses.lost} does not exist" if responses.lost else ""
        raise ValueError(f"{missing} of {found.total()} unchanged pages have no content{lost}")
    return f"the content of {found.total()} unchanged pages is there"
