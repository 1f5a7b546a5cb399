"""`gossamer lab order` as a user meets it."""

import sys
from pathlib import Path

import pytest
from pyarrow import parquet

from gossamer.cli import run
from gossamer.policy.order import ORDERS
from tests.lab.crawl_orders.small import write_graph

SMALL = ["--sim-pages", "300", "--sim-hosts", "6"]


def rows(text: str) -> dict[str, list[str]]:
    """A Markdown table, by the first cell of each row."""
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return {first: rest for first, *rest in cells}


def test_orders_are_compared_on_the_simulated_web(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lab", "order", "sim", *SMALL]) == 0
    table = rows(capsys.readouterr().out)
    assert [*table][1:] == ["breadth-first", "backlinks", "pagerank", "opic", "ideal"]
    half = {name: float(cells[0].rstrip("%")) for name, cells in table.items() if name != "order"}
    assert min(half, key=half.__getitem__) == "ideal"


def test_the_help_says_what_is_tried_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lab", "order", "--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Default: breadth-first, backlinks, pagerank, opic." in said


def test_everything_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    arguments = ["--order", "opic", "--repetitions", "2", "--levels", "8", "-o", str(out)]
    assert run(["lab", "order", "sim", *SMALL, *arguments]) == 0
    pictures = {f"{name}.{kind}" for name in ("coverage", "hot", "stop") for kind in ("svg", "png")}
    assert {path.name for path in out.iterdir()} == {*pictures, "table.md", "curves.parquet"}
    assert "opic" in rows((out / "table.md").read_text())
    table = parquet.read_table(out / "curves.parquet")
    assert table.column_names == ["order", "repetition", "measure", "crawled", "value"]
    assert set(table["repetition"].to_pylist()) == {0, 1}
    assert set(table["measure"].to_pylist()) == {"coverage", "hot", "stop"}


def test_a_graph_a_seed_a_limit_and_a_buffer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = write_graph(tmp_path / "g.graph-txt", 400)
    arguments = ["--seed", "0", "--pages", "100", "--keep", "10", "--importance", "backlinks"]
    assert run(["lab", "order", str(graph), *arguments]) == 0
    out = capsys.readouterr().out
    assert out.startswith("400 pages")
    assert 0 < float(rows(out)["pagerank"][3]) <= 1


def test_topics_and_politeness(capsys: pytest.CaptureFixture[str]) -> None:
    orders = ["--order", "similarity:words=harbour", "--order", "two-queues:words=harbour"]
    polite = ["--importance", "harbour", "--delay", "2", "--rate", "10"]
    assert run(["lab", "order", "sim", *SMALL, *orders, *polite]) == 0
    table = rows(capsys.readouterr().out)
    assert len(table) == 4
    assert float(table["two-queues:words=harbour"][4]) > 0


def test_all_orders_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lab", "order", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(ORDERS)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere"], "nowhere: cannot be read"),
        (["sim", *SMALL, "--order", "pagerang"], "did you mean pagerank?"),
        (["sim", *SMALL, "--seed", "http://nobody.test/"], "is not a page of this web"),
        (["sim", *SMALL, "--importance", "qwertz"], "no page is important by 'qwertz'"),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["lab", "order", *arguments]) == 1
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1


def test_without_matplotlib_it_is_said_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run(["lab", "order", "sim", *SMALL, "-o", str(tmp_path / "out")]) == 1
    assert "pip install 'gossamer[lab]'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
