"""`gossamer crawl`: seeds in, a crawl directory out."""

import os
import sys
from math import inf, nan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.base.errors import DirectoryError, SettingsError
from gossamer.base.quantities import parse_duration
from gossamer.cli.beside import PORT, Beside
from gossamer.cli.conduct import conduct
from gossamer.cli.crawl_options import (
    AGAIN,
    LIMITS,
    MACHINES,
    NETWORK,
    ORDER,
    POLITENESS,
    SCOPE,
    SETTING_OF,
    SHOWN,
    START,
)
from gossamer.cli.knobs import read_knobs

if TYPE_CHECKING:
    from gossamer.base.settings import Settings
    from gossamer.base.url import Url
    from gossamer.cli.seed_files import SeedLine


def crawl(
    seeds: Annotated[
        list[str] | None,
        typer.Argument(help="URLs to start from; - reads URLs from standard input."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            rich_help_panel=START,
            help="The crawl directory to create.",
        ),
    ] = None,
    seed_file: Annotated[
        Path | None,
        typer.Option(
            "--seeds",
            metavar="FILE",
            rich_help_panel=START,
            help="A file with one seed per line; # begins a comment.",
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            rich_help_panel=START,
            help="A settings file, as `gossamer settings` prints it.",
        ),
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            rich_help_panel=SCOPE,
            help="Which links to follow: site, host, domain or all.",
        ),
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option(
            metavar="REGEX",
            rich_help_panel=SCOPE,
            help="Follow only URLs that match this regular expression; can be given several times.",
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            metavar="REGEX",
            rich_help_panel=SCOPE,
            help="Follow no URLs that match this regular expression; can be given several times.",
        ),
    ] = None,
    max_pages: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            rich_help_panel=LIMITS,
            help="Stop after this many pages, and what they need with --page-requisites; 0: no limit.",
        ),
    ] = None,
    max_stored_pages: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            rich_help_panel=LIMITS,
            help="Store at most this many pages, the most valuable ones by the order; 0: no limit.",
        ),
    ] = None,
    max_depth: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            rich_help_panel=SCOPE,
            help="Follow at most this many links from a seed; -1: no limit.",
        ),
    ] = None,
    max_time: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            rich_help_panel=LIMITS,
            help="Stop after this time, such as 90s, 10m or 2h; 0: no limit.",
        ),
    ] = None,
    delay: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            rich_help_panel=POLITENESS,
            help="Shortest gap between two requests to a host, in seconds; 0 only for your own servers.",
        ),
    ] = None,
    per_host: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            rich_help_panel=POLITENESS,
            help="Connections to one host at the same time; more than 1 only for your own servers.",
        ),
    ] = None,
    dns: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOST[:PORT]",
            rich_help_panel=NETWORK,
            help="Name server, as HOST or HOST:PORT; can be given several times.",
        ),
    ] = None,
    allow_private: Annotated[
        bool | None,
        typer.Option(
            "--allow-private", rich_help_panel=NETWORK, help="Also fetch from private addresses."
        ),
    ] = None,
    page_requisites: Annotated[
        bool | None,
        typer.Option(
            "--page-requisites",
            rich_help_panel=SCOPE,
            help="Also fetch the images, scripts, style sheets and media of pages, from any host.",
        ),
    ] = None,
    contact: Annotated[
        str | None,
        typer.Option(
            metavar="URL|MAIL",
            rich_help_panel=POLITENESS,
            help="URL or mail address for webmasters, sent with every request.",
        ),
    ] = None,
    partitions: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            rich_help_panel=MACHINES,
            help="Number of processes that share the work. Default: one per core with --scope all and an "
            "order that works across processes (most do), otherwise 1.",
        ),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="ORDER",
            rich_help_panel=ORDER,
            help="Which pages come first: breadth-first, backlinks, pagerank, opic …",
        ),
    ] = None,
    known: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            rich_help_panel=AGAIN,
            help="Directory of an earlier crawl: fetch only pages that changed since.",
        ),
    ] = None,
    continuous: Annotated[
        bool | None,
        typer.Option(
            "--continuous",
            rich_help_panel=AGAIN,
            help="Visit pages again, for ever, as often as it is worth.",
        ),
    ] = None,
    visits_per_day: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER|SHARE",
            rich_help_panel=AGAIN,
            help="With --continuous: visits per day, or a share of what politeness allows, e.g. 50%; "
            "0: as many as there are pages.",
        ),
    ] = None,
    new_share: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            rich_help_panel=AGAIN,
            help="With --continuous: the part of visits that is kept for new pages, 0 to 1.",
        ),
    ] = None,
    revisit: Annotated[
        str | None,
        typer.Option(
            metavar="POLICY",
            rich_help_panel=AGAIN,
            help="With --continuous: what visits are for: freshness, age, capture, uniform …",
        ),
    ] = None,
    home: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            rich_help_panel=MACHINES,
            help="Remote storage to replicate the crawl to, as file:///PATH or s3://BUCKET/PATH.",
        ),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            rich_help_panel=MACHINES,
            help="Address of a Ray cluster whose machines share the work, or auto; needs --home, and no -o.",
        ),
    ] = None,
    log_level: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            rich_help_panel=SHOWN,
            help="What goes into the log: debug, info, warning or error, and above.",
        ),
    ] = None,
    log_json: Annotated[
        bool,
        typer.Option(
            "--log-json", rich_help_panel=SHOWN, help="Write the log as JSON objects, one a line."
        ),
    ] = False,
    knobs: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="SECTION.NAME=VALUE",
            rich_help_panel=START,
            help="Change any setting: section.name=value; can be given several times.",
        ),
    ] = None,
    serve: Annotated[
        bool,
        typer.Option(
            "--serve",
            rich_help_panel=SHOWN,
            help="Show the crawl in the browser, and its end until Ctrl-C.",
        ),
    ] = False,
    serve_port: Annotated[
        int,
        typer.Option(
            min=0,
            max=65535,
            metavar="NUMBER",
            rich_help_panel=SHOWN,
            help="With --serve: the port; 0: any free port.",
        ),
    ] = PORT,
    end_at_once: Annotated[
        bool,
        typer.Option(
            "--end-at-once",
            rich_help_panel=SHOWN,
            help="With --serve: end when the crawl ends, as scripts need it.",
        ),
    ] = False,
    json: Annotated[
        bool,
        typer.Option("--json", rich_help_panel=SHOWN, help="Print one JSON object at the end."),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", rich_help_panel=SHOWN, help="Show no progress.")
    ] = False,
) -> int:
    """Crawl from the seeds; write WARC files, an index and tables into a directory."""
    from gossamer.cli.seed_files import gather_seeds
    from gossamer.cluster.crawl import Crawl

    beside = Beside(serve, serve_port, ends_at_once=end_at_once)
    lines = gather_seeds(seeds or [], seed_file)
    given = {
        "scope": scope,
        "include": include or None,
        "exclude": exclude or None,
        "max_depth": max_depth,
        "max_pages": max_pages,
        "max_time": None if max_time is None else parse_duration(max_time),
        "max_stored_pages": max_stored_pages,
        "delay": delay,
        "per_host": per_host,
        "dns": dns or None,
        "allow_private": allow_private,
        "page_requisites": page_requisites,
        "contact": contact,
        "partitions": partitions,
        "order": order,
        "known": None if known is None else str(known),
        "home": home,
        "continuous": continuous,
        "new_share": new_share,
        "revisit": revisit,
        "log_level": log_level,
        "log_json": log_json or None,
    }
    changes = {
        **{SETTING_OF[name]: value for name, value in given.items()},
        "budget.delays": None if delay is None else False,
        **_read_budget(visits_per_day),
        "crawl.seeds": [line.text for line in lines] or None,
        **read_knobs(knobs or []),
    }
    if ray is not None:
        from gossamer.cli.ray import Manner, crawl_far

        settings = _settle(config, changes)
        if lines:
            _check_seeds(lines, settings)
        return crawl_far(ray, settings, out, Manner(json, quiet, beside))
    if out is None:
        raise SettingsError("there is no crawl directory; name one with -o DIR")
    if (out / "crawl.toml").exists():
        raise DirectoryError(
            f"{out} holds a crawl; continue it with `gossamer resume {out}`, or choose another -o"
        )
    settings = _divide(_settle(config, changes))
    if lines:
        _check_seeds(lines, settings)
    job = Crawl(out=out, settings=settings)
    _warn(job.settings, job.seeds)
    return beside.run(out, lambda: conduct(job, json, quiet))


def _settle(config: Path | None, changes: dict[str, Any]) -> "Settings":
    """The file's settings, with those of the command line laid over them."""
    from gossamer.base import recipe
    from gossamer.base.settings import Settings

    settings = recipe.read(config) if config else Settings()
    return recipe.change(
        settings, {name: value for name, value in changes.items() if value is not None}
    )


def _read_budget(visits_per_day: str | None) -> dict[str, float]:
    """Settings for a number of visits, or for a share of what politeness allows."""
    if visits_per_day is None:
        return {}
    number, percent, rest = visits_per_day.strip().partition("%")
    try:
        value = float(number)
    except ValueError:
        value = nan
    most = 100.0 if percent else inf
    if rest or not 0 <= value <= most or value == inf or (percent and not value):
        raise SettingsError(
            f"--visits-per-day: {visits_per_day!r} is neither a number nor a share; write e.g. 5000 or 50%"
        )
    share, number_per_day = (value / 100, 0.0) if percent else (0.0, value)
    return {"revisit.visits_per_day": number_per_day, "revisit.visits_share": share}


def _divide(settings: "Settings") -> "Settings":
    """Settings with a number of partitions: a broad crawl can use every core.

    Unless its order learns from links what does not travel: each partition would know its own only.
    """
    from gossamer.base import recipe
    from gossamer.crawl.build import check_order

    if settings.crawl.partitions > 1 and not check_order(settings.order.name):
        _say(
            f"--order {settings.order.name} is not exact here: each partition knows only its own links"
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
        _say(f"--per-host {settings.politeness.per_host} is meant for your own servers only")
    if (
        settings.scope.kind == "all"
        and public
        and not (settings.agent.contact or settings.agent.user_agent)
    ):
        _say("a broad crawl without --contact: webmasters cannot find out who visits their sites")


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
