"""`gossamer lab`: models and simulations of the papers behind Gossamer."""

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli import lab_cluster, lab_fresh, lab_order, lab_shards, lab_simulate
from gossamer.cli.help_page import HelpfulApp

if TYPE_CHECKING:
    from gossamer.lab.drum_figures import DrumFigure

app = HelpfulApp(help="Models and simulations of the papers.", no_args_is_help=True)


@app.callback()
def _lab() -> None:
    """Models and simulations of the papers behind Gossamer."""


@app.command("drum-model")
def drum_model() -> int:
    """Print the disk model of the IRLbot paper: results of its formulas beside the printed numbers."""
    from gossamer.lab import drum_figures

    print("Bytes moved per byte of URL text (α): computed by Theorems 1 and 2, [printed].\n")
    print("Table 2: R = 1 GB, D = 4.39 TB")
    _print_table(drum_figures.table_2())
    print("\nTable 3: D grows with the crawl")
    _print_table(drum_figures.table_3())
    print("\nTheorem 3: a crawl of 8 trillion pages with R = 8 GB and W = 101.25 MB/s")
    _print_list(drum_figures.rates())
    print("\nThe sizes that suit a memory (section 4.4)")
    _print_list(drum_figures.optimum())
    print("\nDopt as printed is what equation (6) gives for b = 100 instead of 110.")
    return 0


app.command("order")(lab_order.order)
app.command("fresh")(lab_fresh.fresh)
app.command("shards")(lab_shards.shards)
app.command("simulate")(lab_simulate.simulate)
app.command("cluster")(lab_cluster.cluster)


@app.command("beast")
def beast(
    domains: Annotated[
        int, typer.Option(help="Number of domains in the simulated web.", min=2)
    ] = 200,
    links: Annotated[
        float, typer.Option(help="Number of new URLs that a page links to.", min=1.5)
    ] = 6.5,
    stages: Annotated[
        int, typer.Option(help="Number of times that the size of the crawl doubles.", min=1, max=8)
    ] = 5,
    seed: Annotated[int, typer.Option(help="Seed of the simulated web.", min=0)] = 0,
) -> int:
    """Show that the disk traffic of BEAST stays below the bound of Theorem 5; that of two queues does not."""
    from gossamer.lab.beast import compare
    from gossamer.lab.beast_report import report

    for line in report(compare(domains, links, stages, seed)):
        print(line)
    return 0


def _print_table(figures: "Iterable[DrumFigure]") -> None:
    is_first = True
    for row, members in groupby(figures, key=lambda figure: figure.row):
        cells = list(members)
        if is_first:
            print("      N" + "".join(f"{cell.what:>26}" for cell in cells))
            is_first = False
        print(f"{row:>7}" + "".join(f"{_beside(cell):>26}" for cell in cells))


def _print_list(figures: "Iterable[DrumFigure]") -> None:
    for figure in figures:
        note = "" if figure.is_reproduced else "   differs"
        print(f"  {figure.what:<30}{_beside(figure):>20}{note}")


def _beside(figure: "DrumFigure") -> str:
    return f"{_short(figure.computed)} [{figure.printed}]"


def _short(value: float) -> str:
    return f"{value:,.3f}" if value < 100 else f"{value:,.1f}"
