"""Known-item search on documentation sites: how well are pages found by names that are held out of the index?

    python -m benchmarks.known_items FOLDER [--questions 900] [--seed 1] [--apart]

The sites are those of `benchmarks.sites`, crawled by Gossamer into FOLDER unless they are there already; with
`--apart` one that had no say when weights were chosen. Each
question is a title, a heading or an anchor text that one page only has; that page is indexed without it
(`gossamer.search.build.known_items`). Shown are the mean reciprocal rank and the part found at place 1 and
among ten: step by step from plain BM25 to the default, the default without each of its parts, and Xapian and
SQLite's FTS5 on the same pages and questions, with the text alone and with the parts weighted as ours.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from benchmarks.crawled_sites import crawled
from benchmarks.other_engines import make_fts5, make_xapian
from benchmarks.sites import APART, SITES
from gossamer.core.settings import SearchSettings
from gossamer.search.build.collection import read_collection
from gossamer.search.build.known_items import KINDS, KnownItem, draw_items, hold_out
from gossamer.search.build.weight_trial import DEEPEST, KnownItemTrial, Success
from gossamer.search.fields import IndexedPage, weights_of

_DEFAULT = SearchSettings()
_NOTHING = SearchSettings(
    title=0, headings=0, anchors=0, url=0, description=0, pagerank=0.0, surroundings=0.0, near=0.0
)

Row = tuple[str, list[int]]


def steps() -> dict[str, SearchSettings]:
    """From the text alone to the default."""
    fields = replace(_DEFAULT, anchors=0, near=0.0, pagerank=0.0)
    anchors = replace(_DEFAULT, near=0.0, pagerank=0.0)
    return {
        "BM25F: + title, headings, URL, description": fields,
        "+ anchor texts": anchors,
        "+ words side by side": replace(_DEFAULT, pagerank=0.0),
        "+ PageRank: the default": _DEFAULT,
    }


def without() -> dict[str, SearchSettings]:
    """The default without one of its parts."""
    names = (
        "title",
        "headings",
        "anchors",
        "url",
        "description",
        "pagerank",
        "surroundings",
        "near",
    )
    return {
        f"default without {name}": replace(_DEFAULT, **{name: 0})
        for name in names
        if getattr(_DEFAULT, name)
    }


def ours(pages: Sequence[IndexedPage], items: Sequence[KnownItem]) -> Iterator[Row]:
    held = {item.page: hold_out(pages[item.page], item) for item in items}
    plain = [
        IndexedPage(page.url, main_text=page.full_text, language=page.language, stems=page.stems)
        for page in (held.get(number, page) for number, page in enumerate(pages))
    ]
    yield "BM25 of the text", KnownItemTrial(plain, (), _NOTHING).ranks(items, _NOTHING)
    yield from tried(pages, items, steps())


def tried(
    pages: Sequence[IndexedPage], items: Sequence[KnownItem], some: dict[str, SearchSettings]
) -> Iterator[Row]:
    """Each of some settings; an index is built once for those that differ in nothing built into it."""
    trial, built = None, None
    for name, settings in some.items():
        if trial is None or weights_of(settings) != built:
            trial, built = KnownItemTrial(pages, items, settings), weights_of(settings)
        yield name, trial.ranks(items, settings)


def others(pages: Sequence[IndexedPage], items: Sequence[KnownItem]) -> Iterator[Row]:
    held = {item.page: hold_out(pages[item.page], item) for item in items}
    seen = [held.get(number, page) for number, page in enumerate(pages)]
    for weights, said in ((_NOTHING, "text"), (_DEFAULT, "parts")):
        for make in (make_xapian, make_fts5):
            engine = make(seen, weights)
            if engine is None:
                continue
            for all_first, how in ((False, "some words"), (True, "all words first")):
                ranks = [_rank(engine.find, item, all_first=all_first) for item in items]
                yield f"{engine.name}, {said}, {how}", ranks


def _rank(find: Callable[[str, int, bool], list[int]], item: KnownItem, *, all_first: bool) -> int:
    found = find(item.question, DEEPEST, True) if all_first else []
    if item.page not in found:
        found += [one for one in find(item.question, DEEPEST, False) if one not in {*found}]
    return found.index(item.page) + 1 if item.page in found[:DEEPEST] else 0


def show(rows: Iterator[Row], items: Sequence[KnownItem]) -> None:
    kinds = " | ".join(f"MRR {kind}" for kind in KINDS)
    print(f"| ranking | MRR | at 1 | at 10 | {kinds} |\n|---|---|---|---|{'---|' * len(KINDS)}")
    for name, ranks in rows:
        whole = Success.of(ranks)
        parts = [
            Success.of([rank for rank, item in zip(ranks, items, strict=True) if item.kind == kind])
            for kind in KINDS
        ]
        figures = [whole.mean_reciprocal_rank, whole.at_1, whole.at_10]
        figures += [part.mean_reciprocal_rank for part in parts]
        print(f"| {name} | {' | '.join(f'{one:.3f}' for one in figures)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=900)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-ablation", action="store_true")
    parser.add_argument("--apart", action="store_true")
    arguments = parser.parse_args()
    crawl = crawled(arguments.folder, APART if arguments.apart else SITES)
    if crawl is None:
        return
    pages = read_collection(crawl, arguments.pages, arguments.seed)
    items = draw_items(pages, arguments.questions, arguments.seed)
    counts = ", ".join(f"{sum(item.kind == kind for item in items)} by {kind}" for kind in KINDS)
    print(f"{len(pages):,} pages, {len(items)} questions ({counts}), seed {arguments.seed}\n")
    show(ours(pages, items), items)
    print()
    show(others(pages, items), items)
    if not arguments.no_ablation:
        print()
        show(tried(pages, items, without()), items)


if __name__ == "__main__":
    main()
