"""`gossamer resume`: continue a crawl after any stop."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli import crawl_options as options
from gossamer.cli.dashboard_option import PORT, Beside
from gossamer.cli.run_options import conduct
from gossamer.cli.setting_options import read_knobs
from gossamer.core.errors import SettingsError


def resume(
    directory: Annotated[
        str, typer.Argument(help="The crawl directory, or the URL of the crawl's remote storage.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            rich_help_panel=options.START,
            help="The directory to create, for a crawl that comes from remote storage.",
        ),
    ] = None,
    max_pages: options.MaxPages = None,
    max_time: options.MaxTime = None,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            rich_help_panel=options.MACHINES,
            help=(
                "Address of a Ray cluster whose machines share the work, or auto; for a crawl "
                "in remote storage."
            ),
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
        from gossamer.cli.ray_option import Manner, resume_remote

        manner = Manner(json, quiet, beside)
        return resume_remote(ray, directory, out, turned, manner)
    found = _find(directory, out)
    return beside.run(
        found, lambda: conduct(Crawl.resume(found, changes=turned), json, quiet, turned)
    )


def _find(directory: str, out: Path | None) -> Path:
    """The crawl directory; one that is in remote storage is brought here first."""
    from gossamer.cli.download_command import download_crawl
    from gossamer.cluster.storage import is_storage_url

    if is_storage_url(directory):
        return download_crawl(directory, out)
    if out is not None:
        raise SettingsError("-o is for a crawl that comes from remote storage; leave it out")
    return Path(directory)
