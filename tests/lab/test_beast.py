import pytest
from typer.testing import CliRunner

from gossamer.lab.beast import Comparison, Model, compare
from gossamer.lab.beast_report import report


def test_theorem_4_gives_the_papers_figures() -> None:
    irlbot = Model()
    assert irlbot.naive(100e6) == pytest.approx(3.8e6, rel=0.02)
    assert irlbot.naive(8e9) == pytest.approx(83e6, rel=0.01)
    assert irlbot.naive(80e9) == pytest.approx(826e6, rel=0.001)


def test_theorem_5_gives_the_papers_figures() -> None:
    irlbot = Model()
    assert irlbot.bound == pytest.approx(8.2e6, rel=0.005)
    assert irlbot.beast(1e15) == pytest.approx(irlbot.bound, rel=1e-5)
    assert all(irlbot.beast(pages) <= irlbot.bound for pages in (1e6, 1e8, 8e9, 80e9, 1e12))


def test_equation_11_gives_the_papers_numbers_of_queues() -> None:
    assert [Model().queues(pages) for pages in (8e9, 80e9)] == [16, 128]


@pytest.fixture(scope="module")
def rows() -> list[Comparison]:
    return compare(domains=50, links=6.5, stages=5)


def test_two_queues_move_more_and_more_as_theorem_4_says(rows: list[Comparison]) -> None:
    for row in rows:
        assert row.naive_paper <= row.naive <= row.naive_paper + 4.5, "and Q itself, and the seeds"
    assert rows[-1].naive > 20 * rows[0].naive


def test_beast_stays_under_the_bound_of_theorem_5(rows: list[Comparison]) -> None:
    for row in rows:
        assert row.beast <= row.beast_paper <= row.bound
    assert rows[-1].beast == pytest.approx(rows[-1].beast_paper, rel=0.05)


def test_queues_double_as_equation_11_says(rows: list[Comparison]) -> None:
    assert [row.queues for row in rows] == [2, 4, 8, 16, 32]
    assert all(row.queues == row.queues_paper for row in rows)


@pytest.mark.parametrize(("links", "seed"), [(3.0, 1), (10.0, 2)])
def test_other_webs_stay_under_the_bound_too(links: float, seed: int) -> None:
    rows = compare(domains=30, links=links, stages=4, seed=seed)
    assert all(row.beast <= row.bound for row in rows)
    assert rows[-1].naive > rows[-1].bound


def test_the_report_shows_both(rows: list[Comparison]) -> None:
    lines = list(report(rows))
    assert sum("40,300" in line and "682.0" in line for line in lines) == 1
    assert "BEAST's bound: 8.2 MB/s" in lines


def test_the_command_prints_it() -> None:
    from gossamer.cli.lab import app

    result = CliRunner().invoke(app, ["beast", "--domains", "20", "--stages", "2"])
    assert result.exit_code == 0
    assert "Theorem 5" in result.output
