"""The one system that Gossamer runs on.

It waits with epoll (`poller.py`), locks whole files and parts of them (`disk/lock.py`), and asks the kernel
to end partitions together with their supervisor (`cluster/die_with_parent.py`).
"""

import sys

from gossamer.core.errors import GossamerError


def require_linux() -> None:
    """Say it in one line, before something that is missing elsewhere is asked for."""
    if sys.platform != "linux":
        raise GossamerError(
            f"Gossamer runs on Linux only, and this is {sys.platform}; use a virtual machine or a container"
        )
