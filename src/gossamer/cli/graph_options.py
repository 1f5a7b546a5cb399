"""Options that several commands over graphs share."""

from pathlib import Path
from typing import Annotated

import typer

Crawled = Annotated[Path, typer.Argument(help="The crawl directory, with a graph.")]
Opened = Annotated[
    Path, typer.Argument(help="The crawl directory, or a BVGraph by its name without suffix.")
]
Pictures = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="The folder for the pictures.", show_default="graph/"),
]
