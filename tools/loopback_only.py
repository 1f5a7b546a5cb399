"""Runs a command where there is no network but loopback.

    python -m tools.loopback_only COMMAND …

Ray listens on every network that it finds, whatever address it is given. So its tests run in a network
namespace of their own, which Linux gives to everybody, unless it was told not to. It needs no other program.
Where there can be none, one line says why, and the command runs as it is: tests that need it are skipped.
"""

import ctypes
import fcntl
import os
import socket
import sys
from pathlib import Path
from struct import Struct

_NEW_USER, _NEW_NET = 0x10000000, 0x40000000
"""Flags of Linux's `unshare`."""
_GET_FLAGS, _SET_FLAGS = 0x8913, 0x8914
_UP, _LOOPBACK = 0x1, 0x8
_interface = Struct("16sH22x")
"""Its name and its flags, as the kernel wants them."""


def leave_networks() -> None:
    """Have no network but loopback from now on, in this process and those that it starts.

    The process counts as root, but only for what it has to itself.
    """
    user, group = os.getuid(), os.getgid()
    if ctypes.CDLL(None, use_errno=True).unshare(_NEW_USER | _NEW_NET):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"0 {user} 1")
    Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, _interface.pack(b"lo", _flags(any_socket, "lo") | _UP))


def networks() -> list[str]:
    """What this process could be reached by, other than loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        flags = {name: _flags(any_socket, name) for _, name in socket.if_nameindex()}
    return [name for name, set_ones in flags.items() if set_ones & _UP and not set_ones & _LOOPBACK]


def _flags(any_socket: socket.socket, name: str) -> int:
    told = fcntl.ioctl(any_socket, _GET_FLAGS, _interface.pack(name.encode(), 0))
    flags: int = _interface.unpack(told)[1]
    return flags


def main(command: list[str]) -> None:
    if not os.fork():
        try:
            leave_networks()
        except OSError as error:
            print(f"no network namespace can be made here: {error}", file=sys.stderr)
            os._exit(1)
        os._exit(0)
    if not os.waitstatus_to_exitcode(os.wait()[1]):
        leave_networks()
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
