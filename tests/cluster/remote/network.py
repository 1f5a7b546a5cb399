"""A network of machines within this one: each is a network namespace, and its cable can be pulled out.

All of it is closed: there is a switch, machines are plugged into it, and nothing leads out of it. The network
of whoever runs this is never touched: each call of `ip` is made inside a namespace that was made here.
"""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.loopback_only import networks

_NEW_NET = 0x40000000
"""A flag of Linux's `unshare`."""
_HERE = "/proc/thread-self/ns/net"
_SWITCH = "switch"


class Namespace:
    """A network of its own, with nothing but loopback. It is there as long as somebody uses it."""

    def __init__(self) -> None:
        storage = os.open(_HERE, os.O_RDONLY)
        try:
            _call("unshare", _NEW_NET)
            try:
                self._file = os.open(_HERE, os.O_RDONLY)
            finally:
                _call("setns", storage, _NEW_NET)
        finally:
            os.close(storage)
        self.identity = os.fstat(self._file).st_ino
        """The one that files in /proc show."""
        self.ip("link", "set", "lo", "up")

    @property
    def path(self) -> str:
        """As `ip` can find it."""
        return f"/proc/{os.getpid()}/fd/{self._file}"

    @contextmanager
    def inside(self) -> Iterator[None]:
        """This thread, and the processes that it starts, are in that network."""
        storage = os.open(_HERE, os.O_RDONLY)
        try:
            _call("setns", self._file, _NEW_NET)
            try:
                yield
            finally:
                _call("setns", storage, _NEW_NET)
        finally:
            os.close(storage)

    def ip(self, *words: str) -> None:
        with self.inside():
            assert os.stat(_HERE).st_ino == self.identity, "not in somebody else's network"
            subprocess.run(["ip", *words], check=True)

    def close(self) -> None:
        os.close(self._file)


class Machine(Namespace):
    """One that is plugged into the switch."""

    def __init__(self, switch: Namespace, number: int) -> None:
        super().__init__()
        self.number = number
        self.address = f"10.0.0.{number}"
        self._switch, self._plug = switch, f"plug{number}"
        switch.ip(
            *("link", "add", self._plug, "type", "veth"),
            *("peer", "name", "eth0", "netns", self.path),
        )
        switch.ip("link", "set", self._plug, "master", _SWITCH)
        self.ip("address", "add", f"{self.address}/24", "dev", "eth0")
        self.ip("link", "set", "eth0", "up")
        self.plug_in()

    def plug_in(self) -> None:
        self._switch.ip("link", "set", self._plug, "up")

    def pull_out(self) -> None:
        """Nobody is told: what is sent from now on is lost."""
        self._switch.ip("link", "set", self._plug, "down")

    def processes(self) -> list[int]:
        """Those whose network this is."""
        found = []
        for path in Path("/proc").glob("[0-9]*/ns/net"):
            try:
                if path.stat().st_ino == self.identity:
                    found.append(int(path.parent.parent.name))
            except OSError:  # it has gone
                continue
        return found


class Network:
    """Some machines that can reach each other, and nobody else."""

    def __init__(self, count: int) -> None:
        assert not networks(), "this is only for those who have nothing but loopback"
        self._switch = Namespace()
        self._switch.ip("link", "add", _SWITCH, "type", "bridge")
        self._switch.ip("link", "set", _SWITCH, "up")
        self.machines = [Machine(self._switch, number) for number in range(1, count + 1)]

    def close(self) -> None:
        for one in (*self.machines, self._switch):
            one.close()


def why_not() -> str:
    """Why there can be no such network here; empty when there can."""
    if networks():
        return "Ray listens on every network; make ray runs it where there is only loopback"
    if shutil.which("ip") is None:
        return "networks that can be cut are made with ip, of iproute2, which is not installed"
    try:
        Network(1).close()
    except (OSError, subprocess.CalledProcessError) as error:
        return f"no network of machines can be made here: {error}"
    return ""


def _call(name: str, *arguments: int) -> None:
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
