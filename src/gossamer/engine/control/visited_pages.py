"""Pages that a crawl has visited, by pattern: what its tables on disk say."""

from collections.abc import Iterator
from pathlib import Path

from gossamer.core.url import parse
from gossamer.engine.control.command_checks import MOST_URLS
from gossamer.engine.control.command_patterns import CommandError, Patterns, read_pattern


def expand(path: Path, urls: tuple[str, ...]) -> tuple[str, ...]:
    """The URLs, in which each pattern with a * stands for all pages that were visited and match."""
    patterns = [url for url in urls if "*" in url]
    if not patterns:
        return urls
    wanted = Patterns(dict.fromkeys(map(read_pattern, patterns), True))
    found = dict.fromkeys(url for url in urls if "*" not in url)
    for text in _visited(path):
        url = parse(text)
        if url is not None and wanted.find(url):
            found[text] = None
            if len(found) > MOST_URLS:
                raise CommandError(
                    f"more than {MOST_URLS:,} pages match {' '.join(patterns)}; give a narrower pattern"
                )
    if not found:
        raise CommandError(f"no visited page in the tables on disk matches {' '.join(patterns)}")
    return tuple(found)


def _visited(path: Path) -> Iterator[str]:
    from pyarrow import dataset

    try:
        table = dataset.dataset(path / "pages", format="parquet")
        for batch in table.to_batches(columns=["url"], filter=dataset.field("status") > 0):
            yield from batch.column(0).to_pylist()
    except (OSError, ValueError):  # there is none yet
        return
