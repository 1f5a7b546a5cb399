"""`gossamer index tune`: weights for a crawl, found by questions whose answer is known."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gossamer.core.settings import SearchSettings
    from gossamer.search.build.weight_tuning import Tuned


def tune(
    directory: Annotated[
        Path,
        typer.Argument(help="The crawl directory, with texts; no crawl may be running in it."),
    ],
    questions: Annotated[
        int,
        typer.Option(
            min=40,
            help=("Number of questions; one half chooses weights, the other half tests them."),
        ),
    ] = 900,
    pages: Annotated[
        int,
        typer.Option(
            min=100, help="Number of pages to search; of a larger crawl, a random sample."
        ),
    ] = 3000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random choices.")] = 1,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what is found, and change nothing.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> int:
    """Find weights for `gossamer search` by questions whose answer is known, and set them in crawl.toml.

    A question is a title, a heading or an anchor text that only one page has, and that page is searched
    without it. Nothing is changed unless pages are found better by the questions set aside, too.
    """
    from gossamer.cli.index_command import check_engine
    from gossamer.core.directory import Directory

    check_engine()
    with Directory(directory) as taken:
        settings = taken.open()
        first, last = _search(directory, settings.search, (questions, pages, seed), quiet=quiet)
        for line in _lines(first, last):
            print(line)
        if last.settings == first.settings:
            print(f"{directory / 'crawl.toml'} is unchanged")
        elif not dry_run:
            from msgspec.structs import replace

            taken.write_settings(replace(settings, search=last.settings))
            print(f"set in {directory / 'crawl.toml'}{_advice(first, last, directory)}")
    return 0


def _search(
    directory: Path, start: "SearchSettings", drawn: tuple[int, int, int], *, quiet: bool
) -> "tuple[Tuned, Tuned]":
    from gossamer.search.build.weight_tuning import tune as find

    steps = find(directory, start, *drawn)
    first = last = next(steps)
    for last in steps:
        if not quiet:
            print(f"{last.step}: {_figures(last)}", file=sys.stderr, flush=True)
    return first, last


def _lines(first: "Tuned", last: "Tuned") -> list[str]:
    from msgspec.structs import asdict

    old, new = asdict(first.settings), asdict(last.settings)
    changes = [f"{name} {old[name]} → {new[name]}" for name in new if old[name] != new[name]]
    return [
        f"before: {_figures(first)}",
        f"after:  {_figures(last)}",
        f"{last.tried} settings tried; {', '.join(changes) if changes else 'none is better'}",
    ]


def _figures(tuned: "Tuned") -> str:
    """
    >>> from gossamer.core.settings import SearchSettings
    >>> from gossamer.search.build.weight_trial import Success
    >>> from gossamer.search.build.weight_tuning import Tuned
    >>> _figures(Tuned(SearchSettings(), Success.of([1, 2]), Success.of([1, 0])))
    'mean reciprocal rank 0.750 (2 questions); set aside 0.500 (2), 50 % first, 50 % among ten'
    """
    learned, apart = tuned.learned, tuned.set_aside
    return (
        f"mean reciprocal rank {learned.mean_reciprocal_rank:.3f} ({learned.questions} questions); set "
        f"aside {apart.mean_reciprocal_rank:.3f} ({apart.questions}), {apart.at_1:.0%} first, "
        f"{apart.at_10:.0%} among ten"
    ).replace("%", " %")


def _advice(first: "Tuned", last: "Tuned", directory: Path) -> str:
    from gossamer.search.fields import weights_of

    if weights_of(first.settings) == weights_of(last.settings):
        return ""
    return f"; rebuild the index with them: gossamer index {directory} --rebuild"
