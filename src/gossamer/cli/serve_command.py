"""`gossamer serve`: a crawl in the browser."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.dashboard_option import wait_for_crawl

if TYPE_CHECKING:
    from gossamer.dashboard.remote_crawl_view import RemoteCrawlView

_OPEN = (
    "gossamer: --no-password: every user of this machine can read the archive and control the crawl"
)
_SETTINGS = "crawl.toml"
_MOST_NAMED = 3
"""Directories that are named when the server begins."""
_MODEST = 5
"""How much less claim to the processor it has than a crawl."""


def serve(
    directories: Annotated[
        list[str],
        typer.Argument(
            metavar="DIRECTORY...",
            help="The crawl directory, or the URL of the crawl's remote storage; the crawl may "
            "be running or not. Several directories, or a folder of them, are shown by "
            "one server.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Download the whole crawl from remote storage to this new directory, and show it.",
        ),
    ] = None,
    address: Annotated[
        str, typer.Option(help="The address to listen on; beyond loopback a password is needed.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any free port.")] = 8480,
    name: Annotated[
        list[str] | None,
        typer.Option(
            help="Another host name of the dashboard in URLs; can be given several times."
        ),
    ] = None,
    password_file: Annotated[
        Path | None,
        typer.Option(
            help="A file whose first line is the password. Default: the variable GOSSAMER_PASSWORD; "
            "without both, the printed link logs in the first browser that opens it."
        ),
    ] = None,
    no_password: Annotated[
        bool,
        typer.Option(
            "--no-password",
            help="Ask for no password: every user of this machine can read and control the crawl.",
        ),
    ] = False,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            help="The address or network of a proxy whose X-Forwarded-For, -Proto and -Prefix "
            "are trusted; can be given several times."
        ),
    ] = None,
    root_path: Annotated[
        str,
        typer.Option(help="The path at which a proxy shows the dashboard, such as /crawls/news."),
    ] = "",
    certificate: Annotated[str, typer.Option(help="A file with the certificate, for TLS.")] = "",
    key: Annotated[str, typer.Option(help="A file with the key of the certificate.")] = "",
    beside: Annotated[
        int,
        typer.Option(
            hidden=True, help="The process that is about to crawl: wait for it, end with it."
        ),
    ] = 0,
    storage: Annotated[
        str, typer.Option(hidden=True, help="With --beside: where the files of the crawl are.")
    ] = "",
) -> int:
    """Show a crawl in the browser: progress, results and controls; until Ctrl-C."""
    check_serving()
    if beside:  # `gossamer crawl --serve`
        wait_for_crawl(Path(directories[0]), beside)
    from gossamer.dashboard.dashboard_server import DashboardServer

    password = read_password(password_file)
    with _found(directories, out, storage) as (paths, in_storage):
        server = DashboardServer(
            *(paths, address, port),
            names=name or [],
            password=password,
            is_open=no_password,
            trusted_proxies=trusted_proxy or (),
            root_path=root_path,
            certificate=certificate,
            key=key,
            in_storage=in_storage,
        )
        os.nice(_MODEST)
        if in_storage is not None:
            in_storage.start()
        place = (
            in_storage.url if in_storage is not None else ", ".join(map(str, paths[:_MOST_NAMED]))
        )
        place += f" and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else ""
        verb = "are" if len(paths) > 1 else "is"
        end = "" if beside else " Ctrl-C ends it."
        if no_password:
            print(_OPEN, file=sys.stderr, flush=True)
        server.run(lambda: print(f"{place} {verb} shown at {server.link}{end}", flush=True))
    return 0


@contextmanager
def _found(
    directories: list[str], out: Path | None, storage: str
) -> "Iterator[tuple[list[Path], RemoteCrawlView | None]]":
    """The directories that are shown. Of a crawl in remote storage only what is needed comes here, and
    goes again."""
    from gossamer.cli.download_command import download_crawl
    from gossamer.cluster.storage import is_storage_url
    from gossamer.core.errors import SettingsError
    from gossamer.dashboard.remote_crawl_view import RemoteCrawlView

    if storage:
        yield [Path(directories[0])], RemoteCrawlView(storage, Path(directories[0]), is_beside=True)
    elif not any(map(is_storage_url, directories)):
        if out is not None:
            raise SettingsError("-o is for a crawl that comes from remote storage; leave it out")
        yield [*dict.fromkeys(one for name in directories for one in _crawls_in(Path(name)))], None
    elif len(directories) > 1:
        raise SettingsError(
            "a crawl in remote storage cannot be shown with others; download it first: gossamer download URL"
        )
    elif out is not None:
        yield [download_crawl(directories[0], out)], None
    else:
        with TemporaryDirectory(prefix="gossamer-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "crawl"
            yield [path], RemoteCrawlView(directories[0], path, is_beside=False)


def _crawls_in(folder: Path) -> list[Path]:
    """The crawl in this directory, or all in the directories below it."""
    if (folder / _SETTINGS).exists():
        return [folder]
    return sorted(file.parent for file in folder.glob(f"*/{_SETTINGS}")) or [folder]


def read_password(file: Path | None) -> str:
    """The first line of a file, or what the environment says."""
    from gossamer.core.errors import SettingsError

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

    from gossamer.core.errors import SettingsError

    if missing := [name for name in ("starlette", "uvicorn", "jinja2") if find_spec(name) is None]:
        raise SettingsError(
            f"{missing[0]} is not installed: {Path(sys.executable).name} -m pip install 'gossamer[serve]'"
        )
