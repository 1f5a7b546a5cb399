"""MariaDB as a process of our own, at a Unix socket, with its data in a folder of our own."""

import getpass
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.applications.web_server import await_socket, ended

NEEDS = ("/usr/sbin/mariadbd", "mariadb-install-db", "mariadb")
NAME = "application"


@contextmanager
def mariadb(data: Path, note: Path) -> Iterator[None]:
    """Run a server on a folder, which is made first if need be.

    Its socket has a new path each time. The path is written into the file `note`, from which the
    settings of the application read it.
    """
    with tempfile.TemporaryDirectory(prefix="db") as work:
        socket = Path(work, "socket")
        is_new = not data.exists()
        if is_new:
            _make(data)
        note.write_text(str(socket))
        command = ["/usr/sbin/mariadbd", "--no-defaults", f"--datadir={data}", f"--socket={socket}"]
        command += ["--skip-networking", f"--user={getpass.getuser()}", f"--pid-file={work}/pid"]
        command += [
            f"--tmpdir={work}",
            f"--log-error={work}/errors",
            "--innodb-flush-log-at-trx-commit=0",
        ]
        with ended(subprocess.Popen(command, cwd=work, stderr=subprocess.DEVNULL)):
            await_socket(socket)
            if is_new:
                _tell(socket, f"create database {NAME} character set utf8mb4")
            yield


def _make(data: Path) -> None:
    command = ["mariadb-install-db", "--no-defaults", f"--datadir={data}", "--skip-test-db"]
    command += ["--auth-root-authentication-method=normal", f"--user={getpass.getuser()}"]
    subprocess.run(command, check=True, capture_output=True)


def _tell(socket: Path, statement: str) -> None:
    client = shutil.which("mariadb") or "mariadb"
    command = [client, "--no-defaults", f"--socket={socket}", "--user=root", "-e", statement]
    subprocess.run(command, check=True, capture_output=True)
