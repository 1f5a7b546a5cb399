"""`gossamer serve`: a crawl in the browser."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli.beside import wait_for_crawl

_MODEST = 5
"""How much less claim to the processor it has than a crawl."""


def serve(
    directory: Annotated[
        Path, typer.Argument(help="The crawl directory; the crawl may be running or not.")
    ],
    address: Annotated[
        str, typer.Option(help="The address to listen on; beyond loopback a password is needed.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any free port.")] = 8480,
    name: Annotated[
        list[str] | None,
        typer.Option(help="A name by which browsers call it, beside the address; may be repeated."),
    ] = None,
    password_file: Annotated[
        Path | None,
        typer.Option(
            help="A file whose first line is the password. Without it: the variable GOSSAMER_PASSWORD."
        ),
    ] = None,
    certificate: Annotated[str, typer.Option(help="A file with the certificate, for TLS.")] = "",
    key: Annotated[str, typer.Option(help="A file with the key of the certificate.")] = "",
    beside: Annotated[
        int,
        typer.Option(
            hidden=True, help="The process that is about to crawl: wait for it, end with it."
        ),
    ] = 0,
) -> int:
    """Show a crawl in the browser: how it goes, what it found, and how to steer it; until Ctrl-C."""
    check_serving()
    if beside:  # `gossamer crawl --serve`
        wait_for_crawl(directory, beside)
    from gossamer.serve.server import FaceServer

    server = FaceServer(
        *(directory, address, port),
        names=name or [],
        password=read_password(password_file),
        certificate=certificate,
        key=key,
    )
    os.nice(_MODEST)
    end = "" if beside else " Ctrl-C ends it."
    server.run(lambda: print(f"{directory} is shown at {server.url}{end}", flush=True))
    return 0


def read_password(file: Path | None) -> str:
    """The first line of a file, or what the environment says."""
    from gossamer.base.errors import SettingsError

    said = os.environ.get("GOSSAMER_PASSWORD")
    where = "the variable GOSSAMER_PASSWORD"
    if file is not None:
        said, where = (
            file.read_text("utf-8").partition("\n")[0].strip(),
            f"the first line of {file}",
        )
    if said == "":
        raise SettingsError(f"{where} is empty; write the password there, or leave it out")
    return said or ""


def check_serving() -> None:
    """Complain in one line when what makes pages is not installed."""
    from importlib.util import find_spec

    from gossamer.base.errors import SettingsError

    if missing := [name for name in ("starlette", "uvicorn", "jinja2") if find_spec(name) is None]:
        raise SettingsError(
            f"{missing[0]} is not installed: {Path(sys.executable).name} -m pip install 'gossamer[serve]'"
        )
