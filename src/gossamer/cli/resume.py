"""`gossamer resume`: continue a crawl after any stop."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.base.errors import SettingsError
from gossamer.base.quantities import parse_duration
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
            "--out", "-o", help="The directory to create, for a crawl that comes from its home."
        ),
    ] = None,
    max_pages: Annotated[
        int | None,
        typer.Option(help="Stop after this many pages, earlier runs included; 0: no limit."),
    ] = None,
    max_time: Annotated[
        str | None, typer.Option(help="Stop after this time, earlier runs included; 0: no limit.")
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            help="Address of a Ray cluster whose machines share the work, or auto; for a crawl at its home."
        ),
    ] = None,
    log_level: Annotated[
        str | None,
        typer.Option(help="What goes into the log: debug, info, warning or error, and above."),
    ] = None,
    log_json: Annotated[
        bool, typer.Option("--log-json", help="Write the log as JSON objects, one a line.")
    ] = False,
    knobs: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="Change any setting: section.name=value; can be given several times."
        ),
    ] = None,
    serve: Annotated[
        bool,
        typer.Option("--serve", help="Show the crawl in the browser, and its end until Ctrl-C."),
    ] = False,
    serve_port: Annotated[
        int, typer.Option(min=0, max=65535, help="With --serve: the port; 0: any free port.")
    ] = PORT,
    end_at_once: Annotated[
        bool,
        typer.Option(
            "--end-at-once", help="With --serve: end when the crawl ends, as scripts need it."
        ),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object at the end.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> int:
    """Continue a crawl after any stop: Ctrl-C, kill -9, a full disk, a power cut."""
    from gossamer.cluster.crawl import Crawl

    beside = Beside(serve, serve_port, ends_at_once=end_at_once)
    changes = {
        "crawl.max_pages": max_pages,
        "crawl.max_seconds": None if max_time is None else parse_duration(max_time),
        "log.log_level": log_level,
        "log.log_json": log_json or None,
        **read_knobs(knobs or []),
    }
    turned = {name: value for name, value in changes.items() if value is not None}
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
