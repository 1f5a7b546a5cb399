"""Commands run where there is no network but loopback, or say why not."""

import subprocess
import sys
from shutil import which

import pytest

from tests.needs import needs

_LOOK = """
import socket
from tools.loopback_only import networks
with socket.create_server(("127.0.0.2", 0)) as server, socket.create_connection(server.getsockname()):
    print(networks(), "and loopback")
raise SystemExit(7)
"""


def test_a_command_has_only_loopback() -> None:
    command = [sys.executable, "-m", "tools.loopback_only", sys.executable, "-c", _LOOK]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.stderr:
        pytest.skip(needs("namespaces", ended.stderr.strip()))
    assert (ended.stdout, ended.returncode) == ("[] and loopback\n", 7)


def test_where_that_cannot_be_it_says_so_and_goes_on() -> None:
    """In a namespace whose owner may have no more of them, as some systems have it for everybody."""
    forbid = "echo 0 > /proc/sys/user/max_net_namespaces"
    inside = f'{forbid} && exec "$@"'
    command = ["unshare", "--map-root-user", "sh", "-c", inside, "sh"]
    tool = [sys.executable, "-m", "tools.loopback_only", "echo", "it ran"]
    if not which("unshare") or subprocess.run([*command, "true"], capture_output=True).returncode:
        pytest.skip(needs("namespaces", "no user namespace can be made here"))
    ended = subprocess.run([*command, *tool], capture_output=True, text=True, check=False)
    assert ended.stdout == "it ran\n"
    assert ended.stderr.startswith("no network namespace can be made here: ")
    assert ended.stderr.count("\n") == 1
