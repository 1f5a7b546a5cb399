"""Local sites to crawl, each served by a real server on loopback for as long as it is needed."""

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from gossamer.lab import Web, serve
from gossamer.lab.server.loopback_addresses import address_number


class Site(NamedTuple):
    """The HTML files of a Debian package."""

    name: str
    folder: Path
    pages: int


SITES = (
    Site("postgresql-doc-15", Path("/usr/share/doc/postgresql-doc-15/html"), 1168),
    Site("python3-doc", Path("/usr/share/doc/python3/html"), 530),
    Site("openjdk-17-doc", Path("/usr/share/doc/openjdk-17-jre-headless/api"), 10141),
)
"""Small pages with few links; large pages with many; many pages with many links."""
APART = (Site("rust-doc", Path("/usr/share/doc/rust-doc/html"), 3000),)
"""Books and references by which no weight was chosen; so many pages of them are crawled."""


def has_nginx() -> bool:
    return shutil.which("nginx") is not None


def available(wanted: Sequence[Site] = SITES) -> list[Site]:
    """Sites that this machine can serve; what is missing is named and left out."""
    if not has_nginx():
        print("nginx is not installed; sites are left out")
        return []
    found = [site for site in wanted if (site.folder / "index.html").exists()]
    for site in wanted:
        if site not in found:
            print(f"{site.name} is not installed; left out")
    return found


@contextmanager
def documentation(folder: Path = SITES[0].folder) -> Iterator[str]:
    """Serve a folder with nginx, one worker; yields the URL of its first page."""
    with _nginx(f"root {folder};") as root:
        yield f"{root}index.html"


@contextmanager
def simulated(pages: int = 1200) -> Iterator[str]:
    """Serve a simulated site; yields the URL of its root.

    Its name is known to its own name server only, which most crawlers cannot be told. So nginx stands in
    front of it, for all of them.
    """
    with serve(Web(seed=7, pages=pages, hosts=1)) as served:
        host = served.seed_url.removeprefix("http://").rstrip("/")
        server = f"{address_number(0)}:{served.http_port}"
        with _nginx(
            f"location / {{ proxy_pass http://{server}; proxy_set_header Host {host}; "
            'proxy_http_version 1.1; proxy_set_header Connection ""; }'
        ) as root:
            yield root


@contextmanager
def _nginx(what: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as work, socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        free.close()
        config = Path(work) / "nginx.conf"
        config.write_text(_NGINX.format(work=work, port=port, what=what))
        process = subprocess.Popen([shutil.which("nginx") or "nginx", "-c", config, "-p", work])
        try:
            _await(port)
            yield f"http://127.0.0.1:{port}/"
        finally:
            process.terminate()
            process.wait()


def _await(port: int) -> None:
    for _ in range(200):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.02)
    raise RuntimeError("nginx did not start")


_NGINX = """
daemon off; worker_processes 1; pid {work}/nginx.pid; error_log {work}/error.log;
events {{ worker_connections 2048; }}
http {{
  access_log off; include /etc/nginx/mime.types; keepalive_requests 1000000;
  client_body_temp_path {work}; proxy_temp_path {work}; fastcgi_temp_path {work};
  uwsgi_temp_path {work}; scgi_temp_path {work};
  server {{ listen 127.0.0.1:{port} backlog=2048; {what} }}
}}
"""
