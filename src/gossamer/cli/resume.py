"""`gossamer resume`: continue a crawl after any stop."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.base.errors import SettingsError
from gossamer.cli import crawl_options as options
from gossamer.cli.beside import PORT, Beside
from gossamer.cli.conduct import conduct
from gossamer.cli.knobs import read_knobs


def resume(
    directory: Annotated[
        str, typer.Argument(help="The crawl directory, or the URL of the crawl's home.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            rich_help_panel=options.START,
            help="The directory to create, for a crawl that comes from its home.",
        ),
    ] = None,
    max_pages: options.MaxPages = None,
    max_time: options.MaxTime = None,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            rich_help_panel=options.MACHINES,
            help="Address of a Ray cluster whose machines share the work, or auto; for a crawl at its home.",
        ),
    ] = None,
    log_level: options.LogLevel = None,
    log_json: options.LogJson = False,
    knobs: options.Knobs = None,
    serve: options.Serve = False,
    serve_port: options.ServePort = PORT,
    end_at_once: options.EndAtOnce = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> int:
    """Continue a crawl after any stop: Ctrl-C, kill -9, a full disk, a power cut."""
    from gossamer.cluster.crawl import Crawl

    beside = Beside(serve, serve_port, ends_at_once=end_at_once)
    given = {
        "max_pages": max_pages,
        "max_time": max_time,
        "log_level": log_level,
        "log_json": log_json,
    }
    turned = options.without_none({**options.settings_given(given), **read_knobs(knobs or [])})
    if ray is not None:
        from gossamer.cli.ray import Manner, resume_far

        manner = Manner(json, quiet, beside)
        return resume_far(ray, directory, out, turned, manner)
    found = _find(directory, out)
    return beside.run(
        found, lambda: conduct(Crawl.resume(found, changes=turned), json, quiet, turned)
    )


def _find(directory: str, out: Path | None) -> Path:
    """The crawl directory; one that is at home is brought here first."""
    from gossamer.cli.bring import bring_home
    from gossamer.cluster.home import is_home

    if is_home(directory):
        return bring_home(directory, out)
    if out is not None:
        raise SettingsError("-o is for a crawl that comes from its home; leave it out")
    return Path(directory)
