"""The model against the figures that the paper prints."""

import pytest
from typer.testing import CliRunner

from gossamer.cli import lab
from gossamer.lab import drum_figures
from gossamer.lab.drum_figures import DrumFigure
from gossamer.lab.drum_model import (
    GB,
    TB,
    CrawlShape,
    disk_limited_overhead,
    drum_overhead,
    least_overhead,
    memory_limit,
    memory_limited_overhead,
    optimal_disk,
    scaled_disk,
)

FIGURES = list(drum_figures.all_figures())


def name(figure: DrumFigure) -> str:
    return f"{figure.place} {figure.row} {figure.what}"


@pytest.mark.parametrize("figure", [one for one in FIGURES if "Dopt" not in one.what], ids=name)
def test_a_printed_figure_is_reproduced(figure: DrumFigure) -> None:
    """To the last digit shown, which the paper has rounded or cut off."""
    assert figure.is_reproduced, f"{figure.computed} is not {figure.printed}"


def test_the_tables_are_complete() -> None:
    counts = dict.fromkeys(("Table 2", "Table 3", "Section 4.5", "Section 4.4"), 0)
    for figure in FIGURES:
        counts[figure.place] += 1
    assert list(counts.values()) == [15, 20, 5, 4]


def test_the_printed_optimal_disk_belongs_to_shorter_urls() -> None:
    """Equation (6) gives 4.39 TB and 17 TB for b = 100, not for the 110 of all other figures."""
    crawl = CrawlShape(n=1e9, b=100)
    assert round(optimal_disk(crawl, GB) / TB, 2) == 4.39
    assert int(optimal_disk(crawl, 2 * GB) / TB) == 17
    assert round(optimal_disk(CrawlShape(n=1e9), GB) / TB, 2) == 4.80


def test_both_cases_of_theorem_2_meet_at_the_optimal_disk() -> None:
    crawl = CrawlShape.of_pages(8e9)
    disk = optimal_disk(crawl, GB)
    assert memory_limit(crawl, disk) == pytest.approx(GB**2)
    memory_limited = memory_limited_overhead(crawl, GB)
    assert memory_limited == pytest.approx(disk_limited_overhead(crawl, disk))
    assert drum_overhead(crawl, GB, 2 * disk) == pytest.approx(memory_limited), "memory is short"
    assert drum_overhead(crawl, GB, disk / 2) > memory_limited, "disk is short"


def test_the_least_overhead() -> None:
    assert round(least_overhead(CrawlShape.of_pages(8e9)), 3) == 2.257


def test_the_disk_grows_with_the_crawl() -> None:
    assert scaled_disk(CrawlShape.of_pages(8e9)) == TB
    assert scaled_disk(CrawlShape.of_pages(8e12)) == pytest.approx(59 * 8e12 * 8 / 9)


def test_the_command_prints_the_tables() -> None:
    result = CliRunner().invoke(lab.app, ["drum-model"])
    assert result.exit_code == 0
    for text in ("91,541.9 [91,541]", "660,802", "[4,192]", "3.721 [3.7]", "4.801 [4.39]"):
        assert text in result.output
    assert result.output.count("differs") == 2
