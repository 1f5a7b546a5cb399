"""What it costs to index documentation sites: CPU per page beside the crawl's own, bytes, memory by setting.

    python -m benchmarks.index_sites FOLDER [--memory 32 128]

The sites are those of `benchmarks.sites`, crawled by Gossamer into FOLDER unless they are there already. Each
index is built from nothing by a process of its own, from the tables; to read the texts out of the pages is a
step of its own, `text`.
"""

import argparse
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from pyarrow import compute, parquet

from benchmarks.crawled_sites import costs_of, crawled
from gossamer.search.build import build_index


def build(crawl: Path, memory: int) -> tuple[int, float, float]:
    """Pages, CPU seconds, and the largest memory in MB."""
    start = time.process_time()
    *_, last = build_index(crawl, memory << 20, rebuild=True)
    spent = time.process_time() - start
    return last.done, spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def sizes(crawl: Path) -> tuple[int, int]:
    """Bytes of all pages and of their texts."""
    pages = parquet.read_table(crawl / "pages", columns=["body_bytes"])
    texts = parquet.read_table(crawl / "text", columns=["full_text"])
    read = compute.sum(compute.binary_length(texts["full_text"])).as_py()
    return compute.sum(pages["body_bytes"]).as_py(), read


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--memory", type=int, nargs="+", default=[32, 128])
    arguments = parser.parse_args()
    crawl = crawled(arguments.folder)
    if crawl is None:
        return
    body, text = sizes(crawl)
    print("| memory of the engine | pages | CPU | per page | pages of 14 KB a CPU s | ", end="")
    print("index | of the text | most memory |")
    print("|---|---|---|---|---|---|---|---|")
    for memory in arguments.memory:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            pages, spent, most = pool.submit(build, crawl, memory).result()
        kept = sum(one.stat().st_size for one in (crawl / "index").rglob("*") if one.is_file())
        speed = f"{spent:.1f} s | {spent / pages * 1e3:.2f} ms | {body / 14e3 / spent:,.0f}"
        bytes_ = f"{kept / 1e6:.1f} MB | {kept / text:.0%} | {most:.0f} MB"
        print(f"| {memory} MB | {pages:,} | {speed} | {bytes_} |", flush=True)
    print(
        f"\n{body / pages / 1e3:.1f} KB of HTML and {text / pages / 1e3:.1f} KB of text per page. Beside it:"
    )
    for step, spent in costs_of(arguments.folder).items():
        print(f"- {step}: {spent:.1f} CPU s, {spent / pages * 1e3:.2f} ms per page")


if __name__ == "__main__":
    main()
