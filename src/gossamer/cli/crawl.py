"""`gossamer crawl`: seeds in, a crawl directory out."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.base.errors import DirectoryError, SettingsError
from gossamer.cli.conduct import conduct
from gossamer.cli.duration import parse_duration
from gossamer.cli.knobs import read_knobs

if TYPE_CHECKING:
    from gossamer.base.settings import Settings
    from gossamer.base.url import Url
    from gossamer.cli.seed_files import SeedLine


def crawl(
    seeds: Annotated[
        list[str] | None,
        typer.Argument(help="URLs to start from; - reads them from standard input."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The crawl directory to make.")
    ] = None,
    seed_file: Annotated[
        Path | None,
        typer.Option("--seeds", help="A file of seeds, one a line; # begins a comment."),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="Settings, as `gossamer settings` prints them.")
    ] = None,
    scope: Annotated[
        str | None, typer.Option(help="Which links to follow: site, host, domain or all.")
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option(help="Only URLs that match this regular expression; repeatable."),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(help="No URLs that match this regular expression; repeatable."),
    ] = None,
    max_pages: Annotated[int | None, typer.Option(help="Stop after this many pages.")] = None,
    max_stored_pages: Annotated[
        int | None, typer.Option(help="Keep only so many pages: the most valuable by the order.")
    ] = None,
    max_depth: Annotated[int | None, typer.Option(help="Links away from a seed.")] = None,
    max_time: Annotated[
        str | None, typer.Option(help="Stop after this time: 90s, 10m, 2h.")
    ] = None,
    delay: Annotated[
        float | None,
        typer.Option(
            help="Least seconds between two requests to a host; 0 for servers of your own."
        ),
    ] = None,
    per_host: Annotated[
        int | None,
        typer.Option(help="Connections to one host; more than 1 for servers of your own."),
    ] = None,
    dns: Annotated[
        list[str] | None, typer.Option(help="Name server as HOST or HOST:PORT; repeatable.")
    ] = None,
    allow_private: Annotated[
        bool | None, typer.Option("--allow-private", help="Fetch from private addresses too.")
    ] = None,
    page_requisites: Annotated[
        bool | None,
        typer.Option(
            "--page-requisites",
            help="Fetch images, scripts, style sheets and media of pages too, from any host.",
        ),
    ] = None,
    contact: Annotated[
        str | None,
        typer.Option(help="URL or mail address for webmasters, sent with every request."),
    ] = None,
    partitions: Annotated[
        int | None,
        typer.Option(
            help="Processes that share the work; by default one, or one a core with --scope all and "
            "an order that works across them, as most do."
        ),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(help="Which page first: breadth-first, backlinks, pagerank, opic …"),
    ] = None,
    known: Annotated[
        Path | None, typer.Option(help="An earlier crawl's directory: ask only for what changed.")
    ] = None,
    knobs: Annotated[
        list[str] | None,
        typer.Option("--set", help="Any setting, as section.name=value; repeatable."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object at the end.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress display.")] = False,
) -> int:
    """Crawl from the seeds and leave WARC files, an index and tables in a directory."""
    from gossamer.cli.seed_files import gather_seeds
    from gossamer.cluster.crawl import Crawl

    lines = gather_seeds(seeds or [], seed_file)
    changes = {
        "scope.kind": scope,
        "scope.include": include or None,
        "scope.exclude": exclude or None,
        "scope.max_depth": max_depth,
        "crawl.max_pages": max_pages,
        "crawl.max_seconds": None if max_time is None else parse_duration(max_time),
        "politeness.delay": delay,
        "budget.delays": None if delay is None else False,
        "politeness.per_host": per_host,
        "dns.servers": dns or None,
        "fetch.allow_private": allow_private,
        "parse.page_requisites": page_requisites,
        "agent.contact": contact,
        "crawl.partitions": partitions,
        "order.name": order,
        "store.max_stored_pages": max_stored_pages,
        "crawl.known": None if known is None else str(known),
        "crawl.seeds": [line.text for line in lines] or None,
        **read_knobs(knobs or []),
    }
    if out is None:
        raise SettingsError("where to? give the crawl directory with -o DIR")
    if (out / "crawl.toml").exists():
        raise DirectoryError(
            f"{out} holds a crawl; go on with `gossamer resume {out}`, or choose another -o"
        )
    settings = _divide(_settle(config, changes))
    if lines:
        _check_seeds(lines, settings)
    job = Crawl(out=out, settings=settings)
    _warn(job.settings, job.seeds)
    return conduct(job, json, quiet)


def _settle(config: Path | None, changes: dict[str, Any]) -> "Settings":
    """The file's settings, with those of the command line laid over them."""
    from gossamer.base import recipe
    from gossamer.base.settings import Settings

    settings = recipe.read(config) if config else Settings()
    return recipe.change(
        settings, {name: value for name, value in changes.items() if value is not None}
    )


def _divide(settings: "Settings") -> "Settings":
    """Settings with a number of partitions: a broad crawl can use every core.

    Unless its order learns from links what does not travel: each partition would know its own only.
    """
    from gossamer.base import recipe
    from gossamer.crawl.build import check_order

    if settings.crawl.partitions > 1 and not check_order(settings.order.name):
        _say(
            f"each partition orders by the links it knows: --order {settings.order.name} is not exact"
        )
    if settings.crawl.partitions:
        return settings
    is_divisible = settings.scope.kind == "all" and check_order(settings.order.name)
    cores = len(os.sched_getaffinity(0)) if is_divisible else 1
    return recipe.change(settings, {"crawl.partitions": min(cores, 255)})


def _check_seeds(lines: "list[SeedLine]", settings: "Settings") -> None:
    """Complain of all lines that are no URLs, by their places."""
    from gossamer.base.url import Spelling
    from gossamer.crawl.seeds import check_seeds

    named = [(text, f"{text!r} ({place})" if place else repr(text)) for text, place in lines]
    check_seeds(named, Spelling(settings.url.rules), settings.fetch.schemes)


def _warn(settings: "Settings", seeds: "list[Url]") -> None:
    public = [seed.host for seed in seeds if _looks_public(seed.host)]
    if settings.politeness.delay == 0 and public:
        _say(f"--delay 0 does not wait between requests, and {public[0]} looks like a public host")
    if settings.politeness.per_host > 1 and public:
        _say(f"--per-host {settings.politeness.per_host} is meant for servers of your own")
    if (
        settings.scope.kind == "all"
        and public
        and not (settings.agent.contact or settings.agent.user_agent)
    ):
        _say("a broad crawl without --contact: webmasters cannot find out who is visiting them")


def _looks_public(host: str) -> bool:
    from gossamer.base.url import is_address
    from gossamer.cycle.fetch.guard import is_public

    if is_address(host):
        return is_public(host.strip("[]"))
    return not (
        host == "localhost" or host.endswith((".localhost", ".test", ".local", ".internal"))
    )


def _say(warning: str) -> None:
    print(f"gossamer: warning: {warning}", file=sys.stderr)
