"""A process that does not outlive the one that started it.

A process that is stopped, swamped or stuck in a page does not notice that its supervisor has gone. It would
go on later, beside the crawl's next incarnation. The kernel notices (Linux: `prctl`, PR_SET_PDEATHSIG). Being
killed loses nothing: a crawl can be resumed from any moment.

The kernel counts the thread that made the process as its parent. A program that runs a crawl in a
thread has to let this thread live as long as the crawl.
"""

import ctypes
import os
import signal

_DEATH_SIGNAL = 1
_prctl = ctypes.CDLL(None, use_errno=True).prctl


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent ends."""
    if _prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "the kernel cannot tie a process to its parent")
    if os.getppid() != parent:  # it has gone already
        os._exit(0)
