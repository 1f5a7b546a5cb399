"""lighttpd as a process of our own, at a Unix socket: no port, no rights, one folder."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks.applications.origin import Origin, behind_socket

NEEDS = ("lighttpd",)
PHP_NEEDS = ("lighttpd", "php-cgi", "php")


@contextmanager
def lighttpd(documents: Path, host: str, what: str = "") -> Iterator[Origin]:
    """Serve a folder; `what` are further lines of the configuration. Yields the origin."""
    with tempfile.TemporaryDirectory(prefix="app") as work:
        config = Path(work, "lighttpd.conf")
        config.write_text(_CONFIG.format(work=work, documents=documents, what=what))
        command = [_program(), "-D", "-f", str(config)]
        with ended(subprocess.Popen(command, cwd=work, env=_environment(work))):
            await_socket(Path(work, "web"))
            yield behind_socket(Path(work, "web"), host)


def php(workers: int = 2, environment: dict[str, str] | None = None) -> str:
    """Lines that let PHP answer for `.php`."""
    more = "".join(f', "{name}" => "{value}"' for name, value in (environment or {}).items())
    return _PHP.format(workers=workers, program=shutil.which("php-cgi"), more=more)


def run_php(
    script: Path, *words: str, text: str = "", environment: dict[str, str] | None = None
) -> str:
    """Run a script that comes with an application, without its warnings; returns what it printed."""
    quiet = ["-d", "display_errors=0", "-d", "log_errors=0", "-d", "memory_limit=1G"]
    command = [shutil.which("php") or "php", *quiet, str(script), *words]
    where = {**os.environ, **(environment or {})}
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, env=where, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{script.name} ended with {done.returncode}: {done.stdout[-2000:]}")
    return done.stdout


@contextmanager
def ended(process: "subprocess.Popen[bytes]") -> Iterator[None]:
    """A process that is ended with the block, whatever happens."""
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def await_socket(path: Path, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(path))
            return
        time.sleep(0.02)
    raise RuntimeError(f"nobody listens at {path}")


def _program() -> str:
    return shutil.which("lighttpd", path=f"{os.environ.get('PATH', '')}:/usr/sbin") or "lighttpd"


def _environment(work: str) -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", ""), "TMPDIR": work, "HOME": work, "LC_ALL": "C.UTF-8"}


_CONFIG = """
server.modules = ("mod_alias", "mod_rewrite", "mod_cgi", "mod_fastcgi", "mod_setenv")
server.document-root = "{documents}"
server.bind = "{work}/web"
server.errorlog = "{work}/errors"
server.upload-dirs = ("{work}")
index-file.names = ("index.php", "index.html")
mimetype.assign = (".html" => "text/html", ".txt" => "text/plain", ".css" => "text/css",
  ".js" => "text/javascript", ".png" => "image/png", ".xml" => "application/xml",
  "" => "application/octet-stream")
var.work = "{work}"
{what}
"""
_PHP = """
fastcgi.server = (".php" => (("bin-path" => "{program}", "socket" => var.work + "/php", "max-procs" => 1,
  "bin-environment" => ("PHP_FCGI_CHILDREN" => "{workers}", "PHP_FCGI_MAX_REQUESTS" => "1000000"{more}))))
"""
