"""The experiments of Cho, Garcia-Molina and Page, on a small graph."""

import re
from pathlib import Path

from benchmarks.cho_figures.__main__ import main

from tests.lab.crawl_orders.small import write_graph


def test_the_experiments_write_their_page(tmp_path: Path) -> None:
    graph = write_graph(tmp_path / "g.graph-txt", 1000)
    folder = tmp_path / "ordering"
    main([str(graph), "--out", str(folder), "--pages", "400", "--hosts", "20"])
    page = (folder / "README.md").read_text()
    pictures = re.findall(r"\]\(([\w-]+\.svg)\)", page)
    numbers = (3, 4, 6, 7, 8, 10, 12, 14, 15)
    assert pictures == [*(f"figure-{number}.svg" for number in numbers), "coverage.svg"]
    assert all(0 < (folder / name).stat().st_size < 200_000 for name in pictures)
    assert page.count("**Agrees**") + page.count("**Differs**") >= 10
