"""`gossamer crawl`: seeds in, a crawl directory out."""

import os
import sys
from math import inf, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gossamer.cli import crawl_options as options
from gossamer.cli.dashboard_option import PORT, Beside
from gossamer.cli.run_options import conduct
from gossamer.cli.setting_options import read_knobs
from gossamer.core.errors import DirectoryError, SettingsError
from gossamer.core.settings import MOST_PARTITIONS

if TYPE_CHECKING:
    from gossamer.cli.seed_files import SeedLine
    from gossamer.core.settings import Settings
    from gossamer.core.url import Url

COMMAND = options.CrawlCommand


def crawl(
    seeds: options.SeedArguments = None,
    out: options.Out = None,
    seed_file: options.SeedFile = None,
    config: options.Config = None,
    scope: options.Scope = None,
    include: options.Include = None,
    exclude: options.Exclude = None,
    max_pages: options.MaxPages = None,
    max_stored_pages: options.MaxStoredPages = None,
    max_depth: options.MaxDepth = None,
    max_time: options.MaxTime = None,
    delay: options.Delay = None,
    per_host: options.PerHost = None,
    dns: options.Dns = None,
    allow_private: options.AllowPrivate = None,
    page_requisites: options.PageRequisites = None,
    contact: options.Contact = None,
    partitions: options.Partitions = None,
    order: options.Order = None,
    known: options.Known = None,
    continuous: options.Continuous = None,
    visits_per_day: options.VisitsPerDay = None,
    new_share: options.NewShare = None,
    revisit: options.Revisit = None,
    storage: options.Storage = None,
    ray: options.Ray = None,
    log_level: options.LogLevel = None,
    log_json: options.LogJson = False,
    knobs: options.Knobs = None,
    serve: options.Serve = False,
    serve_port: options.ServePort = PORT,
    end_at_once: options.EndAtOnce = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> int:
    """Crawl from the seeds; write WARC files, an index and tables into a directory."""
    from gossamer.cli.seed_files import gather_seeds
    from gossamer.cluster.crawl import Crawl

    beside = Beside(serve, serve_port, ends_at_once=end_at_once)
    lines = gather_seeds(seeds or [], seed_file)
    given = {
        "scope": scope,
        "include": include,
        "exclude": exclude,
        "max_depth": max_depth,
        "max_pages": max_pages,
        "max_time": max_time,
        "max_stored_pages": max_stored_pages,
        "delay": delay,
        "per_host": per_host,
        "dns": dns,
        "allow_private": allow_private,
        "page_requisites": page_requisites,
        "contact": contact,
        "partitions": partitions,
        "order": order,
        "known": None if known is None else str(known),
        "storage": storage,
        "continuous": continuous,
        "new_share": new_share,
        "revisit": revisit,
        "log_level": log_level,
        "log_json": log_json,
    }
    changes = {
        **options.settings_given(given),
        "budget.delays": None if delay is None else False,
        **_read_budget(visits_per_day),
        "crawl.seeds": [line.text for line in lines] or None,
        **read_knobs(knobs or []),
    }
    if ray is not None:
        from gossamer.cli.ray_option import Manner, crawl_remote

        settings = _settle(config, changes)
        if lines:
            _check_seeds(lines, settings)
        return crawl_remote(ray, settings, out, Manner(json, quiet, beside))
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
    from gossamer.core import settings_file
    from gossamer.core.settings import Settings

    settings = settings_file.read(config) if config else Settings()
    return settings_file.change(settings, options.without_none(changes))


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
    from gossamer.core import settings_file
    from gossamer.engine.builder import check_order

    if settings.crawl.partitions > 1 and not check_order(settings.order.name):
        _say(
            f"--order {settings.order.name} is approximate with several partitions: each knows only "
            "its own links"
        )
    if settings.crawl.partitions:
        return settings
    is_divisible = settings.scope.kind == "all" and check_order(settings.order.name)
    cores = len(os.sched_getaffinity(0)) if is_divisible else 1
    return settings_file.change(settings, {"crawl.partitions": min(cores, MOST_PARTITIONS)})


def _check_seeds(lines: "list[SeedLine]", settings: "Settings") -> None:
    """Complain of all lines that are no URLs, by their places."""
    from gossamer.core.url import Spelling
    from gossamer.engine.seeds import check_seeds

    named = [(text, f"{text!r} ({place})" if place else repr(text)) for text, place in lines]
    check_seeds(named, Spelling(settings.url.rules), settings.fetch.schemes)


def _warn(settings: "Settings", seeds: "list[Url]") -> None:
    public = [seed.host for seed in seeds if _looks_public(seed.host)]
    if settings.politeness.delay == 0 and public:
        _say(
            f"--delay 0 sends requests without a pause, and {public[0]} looks like a public host; "
            "use --delay 1 or more"
        )
    if settings.politeness.per_host > 1 and public:
        _say(f"--per-host {settings.politeness.per_host} is meant for your own servers only")
    if (
        settings.scope.kind == "all"
        and public
        and not (settings.agent.contact or settings.agent.user_agent)
    ):
        _say(
            "a broad crawl without --contact: webmasters cannot find out who visits their sites; "
            "add --contact URL"
        )


def _looks_public(host: str) -> bool:
    from gossamer.core.url import is_address
    from gossamer.pipeline.fetch.address_guard import is_public

    if is_address(host):
        return is_public(host.strip("[]"))
    return not (
        host == "localhost" or host.endswith((".localhost", ".test", ".local", ".internal"))
    )


def _say(warning: str) -> None:
    print(f"gossamer: warning: {warning}", file=sys.stderr)
