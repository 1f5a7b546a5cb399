"""`gossamer text`: the pages of a crawl as a table of texts."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

if TYPE_CHECKING:
    from gossamer.text import BuildProgress

_LINE_EVERY = 5.0


def text(
    directory: Annotated[
        Path, typer.Argument(help="The crawl directory; the crawl may be running.")
    ],
    workers: Annotated[
        int, typer.Option(min=0, help="Number of processes that read pages; 0: one per core.")
    ] = 0,
    latest: Annotated[
        bool,
        typer.Option("--latest", help="Only the latest version of each page that is not gone."),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> int:
    """Write text, title, dates and metadata of every page to text/*.parquet; later runs add new pages."""
    from gossamer.cli.log_output import keep_quiet
    from gossamer.text import build_texts

    if quiet:
        keep_quiet()
    last = None
    with _display(quiet) as show:
        for last in build_texts(directory, workers, is_latest=latest):
            show(last)
    assert last is not None, "there is always a last progress"
    failed = ""
    if last.failures:
        failed = f", {last.failures} of them with an error (see the column parse_failure)"
    print(
        f"{last.pages} pages read{failed}; {last.before} had been read before: {directory / 'text'}"
    )
    if last.missing:
        print(_missing(last, directory), file=sys.stderr)
    return 0


def _missing(last: "BuildProgress", directory: Path) -> str:
    pages = f"{last.missing} unchanged pages have no text: their content is in an earlier crawl"
    if not last.lost:
        return f"{pages}, which no longer has it"
    return f"{pages}, and {last.lost} does not exist; put it beside {directory} and run this command again"


class _Show(Protocol):
    def __call__(self, progress: "BuildProgress") -> None: ...


@contextmanager
def _display(quiet: bool) -> Iterator[_Show]:
    if quiet:
        yield lambda progress: None
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("reading pages", total=None)
            yield lambda now: bar.update(
                task, completed=now.visits, total=now.total, description=_words(now)
            )
    else:
        yield _Lines()


class _Lines:
    """One line every few seconds."""

    def __init__(self) -> None:
        self._due = time.monotonic() + _LINE_EVERY

    def __call__(self, progress: "BuildProgress") -> None:
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + _LINE_EVERY
            share = f"{progress.visits} of {progress.total} visits"
            print(f"{_words(progress)}, {share}", file=sys.stderr, flush=True)


def _words(progress: "BuildProgress") -> str:
    return f"{progress.pages} pages read, {progress.failures} failures"
