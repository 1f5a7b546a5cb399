"""What it costs to find near-duplicates, by the number of pages that are known.

    python -m benchmarks.near [--pages 1000000] [--folder FOLDER] [--memory 268435456]

Files are filled with synthetic pages and sketches; then the component is opened on them, which makes its
lookups again, as after a crash. 4,000 pages of 14 KB of text each are judged, all of them new: sketch,
look-up and insert. Prints a line for each tenfold: the processor's time for each page in `Near` alone
(what has to stay below 100 µs) and in the whole room, and the time on the clock; comparisons for each
page; bytes on disk for each page known; memory; and the seconds to make the lookups.

Ten million pages take about 11 GB of disk and some minutes.
"""

import argparse
import random
import re
import tempfile
import time
from pathlib import Path

import numpy as np

from gossamer.analyzers.duplicates.content_seen import Content
from gossamer.analyzers.duplicates.duplicates_state import ContentState, NearState
from gossamer.analyzers.duplicates.leaders import _record_type
from gossamer.analyzers.duplicates.near import recipe_of
from gossamer.analyzers.duplicates.originals import _FIELDS
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Document, Page, Visit
from gossamer.core.settings import ContentSettings
from gossamer.core.text_words import WordReader
from gossamer.core.url import parse
from gossamer.lab.prose import paragraphs_about

_TEXT = 14_000
_PROBES = 4_000
_BLOCK = 100_000
_URL = b"http://host.example/some/folder/page-%010d.html"


def fill(folder: Path, first: int, last: int) -> ContentState:
    """Append synthetic pages of these numbers to the component's files."""
    record = _record_type(ContentSettings().sketch)
    names = ("originals", "urls", "sketches")
    for start in range(first, last, _BLOCK):
        chance = np.random.default_rng(start)
        blocks = _block(chance, start, min(_BLOCK, last - start), record)
        for name, data in zip(names, blocks, strict=True):
            with open(folder / f"{name}.log", "ab") as file:
                file.write(data)
    sizes = [(folder / f"{name}.log").stat().st_size for name in names]
    return ContentState(sizes[0], sizes[1], NearState(recipe_of(ContentSettings()), sizes[2], 0))


def _block(
    chance: np.random.Generator, start: int, count: int, record: "np.dtype[np.void]"
) -> tuple[bytes, bytes, bytes]:
    size = len(_URL % 0)
    entries = np.zeros(count, _FIELDS)
    for name in ("body", "payload", "text", "key"):
        entries[name] = chance.integers(1, 2**64, count, np.uint64)
    entries["url"], entries["size"] = np.arange(start, start + count) * size, size
    records = np.zeros(count, record)
    records["key"], records["page"] = entries["key"], np.arange(start, start + count)
    records["bands"] = chance.integers(0, 2**32, records["bands"].shape, np.uint32)
    records["values"] = chance.integers(0, 256, records["values"].shape, np.uint8)
    urls = b"".join(_URL % number for number in range(start, start + count))
    return entries.tobytes(), urls, records.tobytes()


def make_pages(seed: int) -> list[Document]:
    """Pages that nobody has met: paragraphs of the simulated web in an order of their own."""
    chance = random.Random(seed)
    paragraphs = [re.sub(rb"<[^>]*>", b"", one) for one in paragraphs_about(0)]
    documents = []
    for number in range(_PROBES):
        text = b"".join(chance.choices(paragraphs, k=40))[: _TEXT - 20] + b" %d" % number
        url = parse(f"http://new.example/{seed}/{number}")
        assert url is not None
        page = Page(Visit(url), Outcome.FETCHED, 0.0, status=200, payload=text, body=text)
        documents.append(Document(page, text_utf8=text))
    return documents


def clocked(content: Content, documents: list[Document]) -> tuple[float, float]:
    """Seconds of the processor and of the clock for each page."""
    cpu, wall = time.process_time(), time.perf_counter()
    content.judge(documents)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return cpu / len(documents), wall / len(documents)


def near_alone(content: Content, documents: list[Document]) -> float:
    """Seconds of the processor for each page to read its words and in `Near.judge`."""
    near, number, reader = content._near, len(content._originals) - 1, WordReader()
    assert near is not None
    began = time.process_time()
    for document in documents:
        reader.begin()
        words = reader.read(document.text_utf8, document.url).numbers
        near.judge(document, words, number, is_new=True)
    return (time.process_time() - began) / len(documents)


def memory(kind: str) -> int:
    """Megabytes of this process that are of this kind: RssAnon, RssFile."""
    status = Path("/proc/self/status").read_text()
    return int(re.findall(rf"{kind}:\s+(\d+)", status)[0]) >> 10


def measure(folder: Path, known: int, state: ContentState, budget: int) -> None:
    settings = ContentSettings(memory=budget)
    began = time.perf_counter()
    content = Content(folder, settings, state)
    opened = time.perf_counter() - began
    content.judge(make_pages(1)[:50])
    near = near_alone(content, make_pages(3))
    cpu, wall = clocked(content, make_pages(2))
    statistics = content.statistics()
    print(
        f"{known:>10,} {near * 1e6:8.1f} {cpu * 1e6:10.1f} {wall * 1e6:10.1f} "
        f"{statistics.compared / (2 * _PROBES):10.2f} {statistics.disk_bytes / statistics.known:10.0f} "
        f"{memory('RssAnon'):8} {memory('RssFile'):8} {opened:9.1f}",
        flush=True,
    )
    content.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--folder", help="where the files are made; a disk with room")
    parser.add_argument("--memory", type=int, default=ContentSettings().memory)
    options = parser.parse_args()
    head = "known near/µs judge/µs clock/µs compared bytes/page anon/MB file/MB rebuild/s"
    widths = (10, 8, 10, 10, 10, 10, 8, 8, 9)
    print(" ".join(f"{name:>{width}}" for name, width in zip(head.split(), widths, strict=True)))
    with tempfile.TemporaryDirectory(dir=options.folder) as work:
        known, first = 10_000, 0
        while known <= options.pages:
            state = fill(Path(work), first, known)
            measure(Path(work), known, state, options.memory)
            first, known = known, known * 10
            _cut(Path(work), state)


def _cut(folder: Path, state: ContentState) -> None:
    """Take off what the judged pages left behind."""
    lengths = {"originals": state.originals, "urls": state.urls, "sketches": state.near.sketches}
    for name, length in lengths.items():
        with open(folder / f"{name}.log", "ab") as file:
            file.truncate(length)


if __name__ == "__main__":
    main()
