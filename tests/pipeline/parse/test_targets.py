"""What is remembered of addresses is bounded."""

import tracemalloc

from gossamer.core.url import Spelling
from gossamer.pipeline.parse.targets import Targets


def test_folders_without_links_do_not_pile_up() -> None:
    targets = Targets(Spelling())
    tracemalloc.start()
    try:
        for number in range(200_000):
            targets.join(f"http://a.test/{number}/", "utf-8", [])
        now, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert now < 20_000_000  # of 32,768 folders at most; all would take 50 MB
