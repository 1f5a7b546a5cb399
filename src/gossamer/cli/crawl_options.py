"""Options of `gossamer crawl`, some of which `gossamer resume` has too, and the setting that each changes."""

from pathlib import Path
from typing import Annotated, Any

import typer

from gossamer.cli.help_page import HelpfulCommand
from gossamer.core.quantities import parse_duration

START = "Start and output"
SCOPE = "What to fetch"
LIMITS = "When to stop"
POLITENESS = "Politeness and identity"
NETWORK = "Network"
ORDER = "Which pages first"
AGAIN = "Pages that were fetched before"
MACHINES = "Processes and machines"
SHOWN = "What is shown and logged"

SETTING_OF = {
    "scope": "scope.kind",
    "include": "scope.include",
    "exclude": "scope.exclude",
    "max_depth": "scope.max_depth",
    "max_pages": "crawl.max_pages",
    "max_time": "crawl.max_seconds",
    "max_stored_pages": "store.max_stored_pages",
    "delay": "politeness.delay",
    "per_host": "politeness.per_host",
    "dns": "dns.servers",
    "allow_private": "fetch.allow_private",
    "page_requisites": "parse.page_requisites",
    "contact": "agent.contact",
    "partitions": "crawl.partitions",
    "order": "order.name",
    "known": "crawl.known",
    "storage": "crawl.storage",
    "continuous": "revisit.continuous",
    "visits_per_day": "revisit.visits_per_day",
    "new_share": "revisit.new_share",
    "revisit": "revisit.policy",
    "log_level": "log.log_level",
    "log_json": "log.log_json",
}
"""For each option that changes a setting: the setting."""

SeedArguments = Annotated[
    list[str] | None,
    typer.Argument(help="URLs to start from; - reads URLs from standard input."),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="DIR",
        rich_help_panel=START,
        help="The crawl directory to create.",
    ),
]
SeedFile = Annotated[
    Path | None,
    typer.Option(
        "--seeds",
        metavar="FILE",
        rich_help_panel=START,
        help="A file with one seed per line; # begins a comment.",
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        rich_help_panel=START,
        help="A settings file, as `gossamer settings` prints it.",
    ),
]
Scope = Annotated[
    str | None,
    typer.Option(
        metavar="KIND",
        rich_help_panel=SCOPE,
        help="Which links to follow: site, host, domain or all.",
    ),
]
Include = Annotated[
    list[str] | None,
    typer.Option(
        metavar="REGEX",
        rich_help_panel=SCOPE,
        help="Follow only URLs that match this regular expression; can be given several times.",
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        metavar="REGEX",
        rich_help_panel=SCOPE,
        help="Follow no URLs that match this regular expression; can be given several times.",
    ),
]
MaxPages = Annotated[
    int | None,
    typer.Option(
        metavar="NUMBER",
        rich_help_panel=LIMITS,
        help="Stop after this many pages, earlier runs included; --page-requisites "
        "adds what these need; 0: no limit.",
    ),
]
MaxStoredPages = Annotated[
    int | None,
    typer.Option(
        metavar="NUMBER",
        rich_help_panel=LIMITS,
        help="Store at most this many pages, the most valuable ones by the order; 0: no limit.",
    ),
]
MaxDepth = Annotated[
    int | None,
    typer.Option(
        metavar="NUMBER",
        rich_help_panel=SCOPE,
        help="Follow at most this many links from a seed; -1: no limit.",
    ),
]
MaxTime = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        rich_help_panel=LIMITS,
        help="Stop after this time, such as 90s, 10m or 2h, earlier runs included; 0: no limit.",
    ),
]
Delay = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        rich_help_panel=POLITENESS,
        help="Shortest delay between two requests to a host, in seconds; 0 only for your own servers.",
    ),
]
PerHost = Annotated[
    int | None,
    typer.Option(
        metavar="NUMBER",
        rich_help_panel=POLITENESS,
        help="Connections to one host at the same time; more than 1 only for your own servers.",
    ),
]
Dns = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HOST[:PORT]",
        rich_help_panel=NETWORK,
        help="Name server, as HOST or HOST:PORT; can be given several times.",
    ),
]
AllowPrivate = Annotated[
    bool | None,
    typer.Option(
        "--allow-private", rich_help_panel=NETWORK, help="Also fetch from private addresses."
    ),
]
PageRequisites = Annotated[
    bool | None,
    typer.Option(
        "--page-requisites",
        rich_help_panel=SCOPE,
        help="Also fetch the images, scripts, style sheets and media of pages, from any host.",
    ),
]
Contact = Annotated[
    str | None,
    typer.Option(
        metavar="URL|MAIL",
        rich_help_panel=POLITENESS,
        help="URL or mail address for webmasters, sent with every request.",
    ),
]
Partitions = Annotated[
    int | None,
    typer.Option(
        metavar="NUMBER",
        rich_help_panel=MACHINES,
        help="Number of processes that share the work. Default: one per core with --scope all and an "
        "order that works across processes (most do), otherwise 1.",
    ),
]
Order = Annotated[
    str | None,
    typer.Option(
        metavar="ORDER",
        rich_help_panel=ORDER,
        help="Which pages come first: breadth-first, backlinks, pagerank, opic …",
    ),
]
Known = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        rich_help_panel=AGAIN,
        help="Directory of an earlier crawl: fetch only pages that changed since.",
    ),
]
Continuous = Annotated[
    bool | None,
    typer.Option(
        "--continuous",
        rich_help_panel=AGAIN,
        help="Never end: visit pages again, each as often as it changes.",
    ),
]
VisitsPerDay = Annotated[
    str | None,
    typer.Option(
        metavar="NUMBER|SHARE",
        rich_help_panel=AGAIN,
        help="With --continuous: visits per day, or a share of what politeness allows, e.g. 50%; "
        "0: as many as there are pages.",
    ),
]
NewShare = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        rich_help_panel=AGAIN,
        help="With --continuous: share of visits for new pages, 0 to 1.",
    ),
]
Revisit = Annotated[
    str | None,
    typer.Option(
        metavar="POLICY",
        rich_help_panel=AGAIN,
        help="With --continuous: the goal of visits: freshness, age, capture, uniform …",
    ),
]
Storage = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        rich_help_panel=MACHINES,
        help="Remote storage to replicate the crawl to, as file:///PATH or s3://BUCKET/PATH.",
    ),
]
Ray = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        rich_help_panel=MACHINES,
        help="Address of a Ray cluster whose machines share the work, or auto; needs --storage, and no -o.",
    ),
]
LogLevel = Annotated[
    str | None,
    typer.Option(
        metavar="LEVEL",
        rich_help_panel=SHOWN,
        help="Lowest level of events in the log: debug, info, warning or error.",
    ),
]
LogJson = Annotated[
    bool,
    typer.Option(
        "--log-json", rich_help_panel=SHOWN, help="Write the log as JSON objects, one a line."
    ),
]
Knobs = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="SECTION.NAME=VALUE",
        rich_help_panel=START,
        help="Change any setting: section.name=value; can be given several times.",
    ),
]
Serve = Annotated[
    bool,
    typer.Option(
        "--serve",
        rich_help_panel=SHOWN,
        help="Show the crawl in the browser, also after its end, until Ctrl-C.",
    ),
]
ServePort = Annotated[
    int,
    typer.Option(
        min=0,
        max=65535,
        metavar="NUMBER",
        rich_help_panel=SHOWN,
        help="With --serve: the port; 0: any free port.",
    ),
]
EndAtOnce = Annotated[
    bool,
    typer.Option(
        "--end-at-once",
        rich_help_panel=SHOWN,
        help="With --serve: exit when the crawl ends, for scripts.",
    ),
]
Json = Annotated[
    bool,
    typer.Option("--json", rich_help_panel=SHOWN, help="Print one JSON object at the end."),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", rich_help_panel=SHOWN, help="Show no progress.")
]


def settings_given(given: dict[str, Any]) -> dict[str, Any]:
    """The settings that options change, by the names of options; None where one was not given.

    >>> settings_given({"max_pages": 9, "max_time": "2m", "log_json": False})
    {'crawl.max_pages': 9, 'crawl.max_seconds': 120.0, 'log.log_json': None}
    """
    return {SETTING_OF[name]: _value(name, value) for name, value in given.items()}


def without_none(changes: dict[str, Any]) -> dict[str, Any]:
    """Only what was given."""
    return {name: value for name, value in changes.items() if value is not None}


def _value(name: str, value: Any) -> Any:
    """A value as its setting has it; a switch that is off and a list without members were not given."""
    if name == "max_time" and value is not None:
        return parse_duration(value)
    return None if value is False or value == [] else value


_SAID_IN_HELP = {"partitions"}
"""Options whose help says what their default depends on."""


class CrawlCommand(HelpfulCommand):
    """`gossamer crawl`: the default of an option is that of its setting."""

    def default_of(self, name: str) -> str:
        from gossamer.core.settings_file import describe

        if name not in SETTING_OF or name in _SAID_IN_HELP:
            return ""
        section, _, field = SETTING_OF[name].partition(".")
        value = describe()[section][field][1].strip('"')
        return "" if value in ("", "[]", "{}", "false") else value.removesuffix(".0")
