"""`gossamer index`: the text index of a crawl."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct
from msgspec.structs import replace
from typer.core import TyperGroup

from gossamer.cli import index_tune_command
from gossamer.cli.help_page import HelpfulApp
from gossamer.core.directory import FolderInUseError, wait_for
from gossamer.core.errors import GossamerError, SettingsError

if TYPE_CHECKING:
    from gossamer.archive.committed_rows import CommittedRows
    from gossamer.search.build import IndexProgress

_Show = Callable[[str, int, int], None]


class _BuildUnlessNamed(TyperGroup):
    """`gossamer index DIR` is what most people want: it builds. Other commands have to be named."""

    unnamed = "build"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        is_named = bool(args) and args[0] in (*self.commands, "--help")
        return super().parse_args(ctx, args if is_named else [self.unnamed, *args])


app = HelpfulApp(cls=_BuildUnlessNamed, rich_markup_mode=None)
app.command("tune")(index_tune_command.tune)


@app.command("build")
def index(
    directory: Annotated[
        str,
        typer.Argument(
            help="The crawl directory, or the URL of the crawl's remote storage; the crawl may be running."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="With remote storage: the directory for its tables, and for the index.",
        ),
    ] = None,
    memory: Annotated[
        int,
        typer.Option(
            min=0,
            help="Megabytes of memory for pages to be written; 0: the setting of the crawl.",
        ),
    ] = 0,
    workers: Annotated[
        int, typer.Option(min=0, help="Number of processes that read pages; 0: one per core.")
    ] = 0,
    processes: Annotated[
        int,
        typer.Option(
            min=1,
            help="Number of processes that build shards; they share the memory. Each reads all links.",
        ),
    ] = 1,
    rebuild: Annotated[
        bool,
        typer.Option("--rebuild", help="Build it from scratch instead of updating it."),
    ] = False,
    first_tier: Annotated[
        float,
        typer.Option(
            min=0,
            max=50,
            help="Share of the pages, in percent, the best by PageRank, that form the first tier: "
            "it is searched first, and alone if it has enough hits; 0: no tiers. Takes effect when "
            "an index is built.",
        ),
    ] = 0.0,
    only: Annotated[
        list[int] | None,
        typer.Option(
            help="Number of a shard to build, one for each partition; can be given several times. "
            "Other machines build the others."
        ),
    ] = None,
    every: Annotated[
        str,
        typer.Option(
            help="Keep updating it, with this pause between updates: 30s, 10m, 1h. Ctrl-C stops it."
        ),
    ] = "",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> int:
    """Build or update the text index of a crawl in index/, for `gossamer search`.

    Pages that have not been read yet are read first, as `gossamer text --latest` does. What other pages call
    a page counts too, and its PageRank when there is one (`gossamer graph build`, `gossamer graph rank`).
    """
    from gossamer.cli.log_output import keep_quiet
    from gossamer.core.quantities import parse_duration

    check_engine()
    pause = parse_duration(every) if every else 0.0
    if quiet:
        keep_quiet()
    path, storage = _find(directory, out)
    wishes = _Wishes(memory, workers, processes, rebuild, first_tier, tuple(only or ()), quiet)
    while True:
        _bring_up_to_date(path, storage, wishes)
        if not every:
            return 0
        wishes = replace(wishes, rebuild=False)
        try:
            time.sleep(pause)
        except KeyboardInterrupt:
            return 0


class _Wishes(Struct, frozen=True):
    """The options of the command line."""

    memory: int
    workers: int
    processes: int
    rebuild: bool
    first_tier: float
    only: tuple[int, ...]
    quiet: bool


def _find(directory: str, out: Path | None) -> tuple[Path, str]:
    """The crawl directory; and the home that it is a copy of, if that was given."""
    from gossamer.cluster.storage import is_storage_url

    if not is_storage_url(directory):
        if out is not None:
            raise SettingsError("-o is for a crawl that is in remote storage; leave it out")
        return Path(directory), ""
    if out is None:
        raise SettingsError("no directory was given for the index; give one with -o DIR")
    return out, directory


def _bring_up_to_date(directory: Path, storage: str, wishes: _Wishes) -> None:
    """Texts and index are of the same moment, however fast the crawl goes on."""
    from gossamer.core.directory import Directory
    from gossamer.search.build import build_in_processes

    with _display(wishes.quiet) as show:
        record = _look(directory, storage, show)
        settings = Directory(directory).look().search
        _read_pages(directory, storage, wishes, record, show)
        for last in build_in_processes(
            directory,
            (wishes.memory or settings.memory) << 20,
            wishes.processes,
            settings,
            rebuild=wishes.rebuild,
            first_tier=wishes.first_tier,
            only=wishes.only,
            record=record,
        ):
            show(last.step, last.done, last.total)
    print(_words(last, directory), flush=True)


def _look(directory: Path, storage: str, show: _Show) -> "CommittedRows":
    """Read the committed rows, from here or from remote storage."""
    from gossamer.archive.committed_rows import CommittedRows
    from gossamer.cluster.storage import ReadingCopy
    from gossamer.core.directory import Directory, check_is_crawl

    if storage:
        show("fetching tables", 0, 0)
        return ReadingCopy(storage, directory).renew()
    check_is_crawl(directory)
    return CommittedRows(Directory(directory))


def _read_pages(
    directory: Path, storage: str, wishes: _Wishes, record: "CommittedRows", show: _Show
) -> None:
    """Read the pages of the wanted shards; wait for builders of other shards, as texts are one table."""
    from gossamer.search.build import in_shards
    from gossamer.text import build_texts
    from gossamer.text.text_chunk import process_chunk
    from gossamer.text.text_from_storage import ReadFromStorage

    wanted = in_shards(directory, wishes.only) if wishes.only else None
    work = ReadFromStorage(storage, (directory / "warc").absolute()) if storage else process_chunk
    while True:
        try:
            for read in build_texts(
                directory, wishes.workers, work, is_latest=True, wanted=wanted, record=record
            ):
                show("reading pages", read.visits, read.total)
        except FolderInUseError:
            if wanted is None:
                raise
            wait_for(directory, "text")
        else:
            return


def check_engine() -> None:
    """The engine is an extra, for not everybody searches."""
    try:
        import tantivy  # noqa: F401
    except ImportError:
        raise GossamerError(
            "the index needs the library tantivy; install it with: pip install 'gossamer[search]'"
        ) from None


def _words(last: "IndexProgress", directory: Path) -> str:
    without = f"; {last.without_text} have no text to search" if last.without_text else ""
    changes = f"{last.written} new or different, {last.removed} gone"
    return f"{last.done} pages in the index ({changes}){without}: {directory / 'index'}"


@contextmanager
def _display(quiet: bool) -> Iterator[_Show]:
    if quiet or not sys.stderr.isatty():
        yield lambda step, done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda step, done, total: bar.update(
            task, completed=done, total=total or None, description=step
        )
