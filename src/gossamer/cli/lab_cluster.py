"""`gossamer lab cluster`: a crawl on many machines, on paper."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli.lab_page import options_given, put_page

_Pages = Annotated[int, typer.Option(min=40, help="Number of pages of the crawl that is measured.")]
_Cores = Annotated[int, typer.Option(min=1, help="Cores of a machine; each has a partition.")]
_Memory = Annotated[float, typer.Option(min=0.1, help="Memory of a machine, in GB.")]
_Network = Annotated[float, typer.Option(min=0.001, help="Network of a machine, in Gbit/s.")]
_Kept = Annotated[
    float, typer.Option(min=0.001, help="Pages on record of each machine, in millions.")
]
_Seed = Annotated[int, typer.Option(min=0, help="Seed of the simulated web.")]
_Out = Annotated[Path | None, typer.Option("--out", "-o", help="Write a page to this directory.")]


def cluster(
    context: typer.Context,
    pages: _Pages = 1200,
    cores: _Cores = 8,
    memory: _Memory = 32.0,
    network: _Network = 10.0,
    kept: _Kept = 100.0,
    seed: _Seed = 7,
    out: _Out = None,
) -> int:
    """Measure small runs, and tell what 1 to 1,000 machines would do, and what is too small first."""
    from gossamer.lab.machines.figures import Machines
    from gossamer.lab.machines.measuring import measure
    from gossamer.lab.machines.page import figure_table, find, limit_lines, load_table, write_page

    machines = Machines(cores, memory * 1e9, network * 1e9 / 8, kept * 1e6)
    found = find(measure(seed, pages), machines)
    for lines in (figure_table(found.measured), load_table(found.loads), limit_lines(found)):
        typer.echo("\n".join(lines) + "\n")
    if out is not None:
        command = f"gossamer lab cluster{options_given(context, but='out')} --out"
        put_page(out, found, command, lambda findings, folder: None, write_page)
    return 0
