"""Behind nginx with TLS and a path: cookies, redirects, addresses in pages, and who gave a command."""

import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPSConnection
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest

from gossamer.dashboard.dashboard_server import DashboardServer
from gossamer.dashboard.web.reverse_proxy import move_below
from tests.dashboard.archived import crawl_site, site
from tests.dashboard.faces import Answer, Visitor, serving, shown
from tests.dashboard.hostile import Answer as HostileAnswer
from tests.dashboard.live import wait_until
from tests.needs import needs
from tests.patience import PATIENCE

_CONFIG = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{
    listen 127.0.0.1:{port} ssl;
    ssl_certificate {folder}/certificate; ssl_certificate_key {folder}/key;
    location /crawls/news/ {{
      proxy_pass http://127.0.0.1:{dashboard}{slash};
      proxy_buffering off;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-Prefix {prefix};
    }}
  }}
}}
"""
ROOT = "/crawls/news"


class Through(Visitor):
    """Asks through a proxy with TLS, below its path."""

    def ask(self, method, path, body=None, headers=None) -> Answer:  # type: ignore[no-untyped-def]
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = HTTPSConnection(urlsplit(self.url).netloc, timeout=PATIENCE, context=context)
        own = {"Cookie": self.cookie} if self.cookie else {}
        connection.request(method, ROOT + path, body, {**own, **(headers or {})})
        answer = connection.getresponse()
        fields = {name.lower(): value for name, value in answer.getheaders()}
        if "set-cookie" in fields:
            self.cookie = fields["set-cookie"].partition(";")[0]
        found = Answer(answer.status, fields, answer.read())
        connection.close()
        return found


@contextmanager
def nginx(folder: Path, dashboard: int, *, is_stripped: bool, prefix: str) -> Iterator[Through]:
    """A proxy in front of a dashboard; `is_stripped`: it passes paths on without its own."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    openssl = shutil.which("openssl")
    if program is None or openssl is None:
        pytest.skip(needs("nginx", "no nginx, or no openssl, is installed"))
    subprocess.run(
        [
            *(openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-keyout", f"{folder}/key", "-out", f"{folder}/certificate"),
        ],
        check=True,
        capture_output=True,
    )
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    slash = "/" if is_stripped else ""
    config = folder / "nginx.conf"
    config.write_text(
        _CONFIG.format(folder=folder, port=port, dashboard=dashboard, slash=slash, prefix=prefix)
    )
    with subprocess.Popen([program, "-c", config, "-e", folder / "error.log"]) as process:
        try:
            wait_until(lambda: process.poll() is not None or _answers(port))
            assert process.poll() is None, (folder / "error.log").read_text()
            yield Through(f"https://127.0.0.1:{port}")
        finally:
            process.terminate()


def _answers(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("is_stripped", [True, False])
@pytest.mark.parametrize("is_said", [True, False], ids=["header", "option"])
def test_behind_tls_and_below_a_path(
    finished_copy: Path, tmp_path: Path, is_stripped: bool, is_said: bool
) -> None:
    root = "" if is_said else f"{ROOT}/"
    dashboard = DashboardServer(finished_copy, trusted_proxies=["127.0.0.1"], root_path=root)
    prefix = ROOT if is_said else '""'
    with (
        serving(dashboard),
        nginx(tmp_path, dashboard.port, is_stripped=is_stripped, prefix=prefix) as visitor,
    ):
        assert visitor.get("/").headers["location"] == f"{ROOT}/login"
        answer = visitor.get(f"/?{urlsplit(dashboard.link).query}")
        home = ROOT + dashboard.private_path
        assert answer.headers["location"] == f"{home}/"
        cookie = answer.headers["set-cookie"].lower().split("; ")
        assert {"secure", "httponly", "samesite=strict", f"path={home}/"} <= {*cookie}
        for path in ("/", "/pages", "/hosts", "/frontier", "/control", "/log"):
            page = visitor.get(path)
            assert page.status == 200
            ours = re.findall(r'(?:href|src|action)="(/[^"]*)"', page.text)
            assert len(ours) > 10
            assert all(one.startswith(f"{ROOT}/") for one in ours), path
            assert int(page.headers["content-length"]) == len(page.body)
        assert f'"{ROOT}/static/stream.js"' in visitor.get("/static/live.js").text
        script = visitor.get("/static/stream.js").text
        assert f'"{ROOT}/events?of=' in script
        order = {"token": visitor.token(), "order": "pause"}
        own = {"Origin": visitor.url, "Sec-Fetch-Site": "same-origin"}
        given = visitor.post("/control", order, own)
        assert (given.status, given.headers["location"]) == (303, f"{ROOT}/control?number=1")
        claimed = {"X-Forwarded-For": "203.0.113.5"}
        assert visitor.post("/control", order | {"order": "go-on"}, own | claimed).status == 303
        origins = [one["origin"] for one in visitor.get("/api/control").json["orders"]]
        assert origins == ["browser 203.0.113.5", "browser 127.0.0.1"]


def test_addresses_that_are_not_ours_stay_as_they_are() -> None:
    for text in (
        'href="//a.test/"',
        'href="https://a.test/"',
        'href="#top"',
        "<p>/static/</p>",
        "<p>see /api/v1, (/events/1) and url(/archive/2.png)</p>",
    ):
        assert move_below("/x", text) == text


def test_words_of_a_copy_stay_as_they_are(tmp_path: Path) -> None:
    """Below a path, addresses of a copy lead below it; what its text says of paths is as it was archived."""
    words = "Ask /api/v1, (/events/1) or &quot;/static/a&quot; in <code>url(/archive/a.png)</code>"
    page = f"""<title>t</title><p id=w>{words}</p><a href="/b">b</a>
        <img srcset="/a.png 1x, /b.png 2x"><p style="background: url(/a.png)">c</p>"""
    with site({"/": HostileAnswer(page.encode())}) as url:
        out = crawl_site(url, tmp_path / "crawl")
    asked = f"/archive/copy?url={quote(url + '/', safe='')}"
    with shown(out, root_path="/x") as visitor:
        below = visitor.get(asked).text
    with shown(out) as visitor:
        plain = visitor.get(asked).text
    assert re.findall("<p id.*?</p>", below) == re.findall("<p id.*?</p>", plain) != []
    assert {*re.findall(r"(?<![\w.])(/[a-z]*)/(?:archive/copy|replay)", below)} == {"/x"}
    ours = re.compile(r"/(?:archive/copy|replay)\?[^ \"&)]*")
    assert [one.partition("key=")[0] for one in ours.findall(below)] == [
        one.partition("key=")[0] for one in ours.findall(plain)
    ]
