"""One summary of many."""

from msgspec.structs import replace

from gossamer.cluster.merged_summary import merge
from gossamer.engine.summary import NOTHING


def test_counts_are_added_and_sentences_kept() -> None:
    one = replace(NOTHING, pages=3, statuses={"200": 3}, levels=(1, 2), decisions=("a",))
    other = replace(NOTHING, pages=4, statuses={"200": 1, "404": 3}, levels=(5,), decisions=("b",))
    merged = merge([one, other], 2.0, "finished", "out")
    assert (merged.pages, merged.pages_per_second, merged.partitions) == (7, 3.5, 2)
    assert merged.statuses == {"200": 4, "404": 3}
    assert (merged.levels, merged.decisions) == ((6, 2), ("a", "b"))
    assert (merged.stopped_by, merged.directory) == ("finished", "out")


def test_of_nobody_it_says_nothing() -> None:
    assert merge([], 0.0, "", "") == replace(NOTHING, partitions=0)
