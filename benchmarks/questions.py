"""Questions of three kinds, answered by Gossamer and by other engines on the same pages.

    python -m benchmarks.questions FOLDER [--apart] [--judged PACKAGES]

The sets are those of `benchmarks.question_sets`, or with packages of PyPI in a folder those of
`benchmarks.judged_sets`. Shown are the mean reciprocal rank of the first answer, nDCG
at ten, and the part of questions whose answer came first. Other engines get title and text as one text, as a
plain index has it, and any of the words: tantivy with our stop words, Lucene with its English
analyzer, Xapian and SQLite's FTS5 with English stems.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from math import log2
from pathlib import Path

from msgspec.structs import replace

from benchmarks.judged_sets import judged_sets
from benchmarks.other_engines import make_fts5, make_lucene, make_xapian
from benchmarks.question_sets import Question, QuestionSet, question_sets
from gossamer.core.settings import SearchSettings
from gossamer.search.build.weight_trial import IndexTrial
from gossamer.search.fields import IndexedPage

_DEEPEST = 100
_PLAIN = SearchSettings(
    title=1,
    headings=0,
    anchors=0,
    url=0,
    description=0,
    names=0,
    pagerank=0,
    surroundings=0,
    near=0,
)

Find = Callable[[str], Sequence[int]]


def engines(pages: Sequence[IndexedPage]) -> Iterator[tuple[str, Find]]:
    yield "Gossamer", _ours(pages, SearchSettings())
    flat = [replace(page, main_text=page.full_text) for page in pages]
    yield "tantivy", _ours(flat, _PLAIN)
    texts = [replace(page, full_text=f"{page.title}\n{page.full_text}") for page in pages]
    nothing = replace(_PLAIN, title=0)
    if lucene := make_lucene(texts, _DEEPEST):
        yield lucene.name, _any_word(lucene.find)
    for make in (make_xapian, make_fts5):
        if engine := make(texts, nothing):
            yield engine.name, _any_word(engine.find)


def _any_word(find: Callable[[str, int, bool], list[int]]) -> Find:
    return lambda text: find(text, _DEEPEST, False)


def _ours(pages: Sequence[IndexedPage], settings: SearchSettings) -> Find:
    trial = IndexTrial(pages, settings)
    return lambda text: trial.find(text, _DEEPEST)


def figures(find: Find, questions: Sequence[Question]) -> tuple[float, float, float]:
    """Mean reciprocal rank, nDCG at ten, and the part found at place 1."""
    reciprocal = gain = first = 0.0
    for question in questions:
        found = [number for number in find(question.text) if number != question.itself]
        hits = [number in question.answers for number in found]
        best = sum(1 / log2(place + 2) for place in range(min(10, len(question.answers))))
        gain += sum(1 / log2(place + 2) for place, hit in enumerate(hits[:10]) if hit) / best
        reciprocal += 1 / (hits.index(True) + 1) if any(hits) else 0.0
        first += bool(hits[:1] == [True])
    return reciprocal / len(questions), gain / len(questions), first / len(questions)


def show(one: QuestionSet) -> None:
    print(f"\n{one.name}: {len(one.pages):,} pages, {len(one.questions)} questions\n")
    print("| engine | MRR | nDCG@10 | first |\n|---|---|---|---|")
    for name, find in engines(one.pages):
        reciprocal, gain, first = figures(find, one.questions)
        print(f"| {name} | {reciprocal:.3f} | {gain:.3f} | {first:.0%} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--judged", type=Path, metavar="PACKAGES")
    arguments = parser.parse_args()
    if arguments.judged:
        sets = judged_sets(arguments.judged, apart=arguments.apart)
    else:
        sets = question_sets(arguments.folder, apart=arguments.apart)
    for one in sets:
        show(one)


if __name__ == "__main__":
    main()
