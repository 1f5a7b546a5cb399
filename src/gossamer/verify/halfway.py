"""A harvest of which pages were just being retired.

WARC files, the index and the tables are written anew one after the other then, each as a whole: so places do
not fit together, but every file can be read, and the index has a line for every capture of the files that it
names.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from gossamer.base.directory import partition_name
from gossamer.verify.archive import read_captures
from gossamer.verify.finding import Finding, attempt
from gossamer.verify.index import read_places
from gossamer.verify.table import read_rows


def look_halfway(path: Path, retiring: Sequence[int]) -> Iterator[Finding]:
    """Look at the files of all partitions, of which some were retiring pages."""
    captures: dict[str, set[int]] = {}
    for file in sorted((path / "warc").glob("*.warc.gz")):
        finding, found = attempt(f"warc/{file.name}", read_captures, file, file.stat().st_size)
        yield finding if found is None else Finding(finding.what, f"{len(found)} captures")
        if found is not None and any(f"-{partition_name(one)}-" in file.name for one in retiring):
            captures[file.name] = found
    yield attempt("warc/index.cdxj", _compare, path / "warc" / "index.cdxj", captures)[0]
    for name in ("pages", "links"):
        for file in sorted((path / name).glob("*.parquet")):
            yield attempt(f"{name}/{file.name}", read_rows, file)[0]


def _compare(index: Path, captures: dict[str, set[int]]) -> str:
    """Has the index a line for every capture of the files that it names?"""
    named: dict[str, set[int]] = {}
    with index.open("rb") as lines:
        for name, offset in read_places(lines):
            named.setdefault(name, set()).add(offset)
    count = sum(len(captures[name] - found) for name, found in named.items() if name in captures)
    if count:
        raise ValueError(f"has no line for {count} captures")
    return f"{sum(map(len, named.values()))} lines"
