"""Show the progress of work on a graph in the terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gossamer.graph.build import GraphProgress


@contextmanager
def display(quiet: bool) -> "Iterator[Callable[[GraphProgress], object]]":
    """A bar that shows what it is given; nothing where nobody looks."""
    if quiet or not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(now: "GraphProgress") -> None:
            said = now.step if now.total else f"{now.step}: {now.done:,}"
            bar.update(task, completed=now.done, total=now.total or None, description=said)

        yield show
