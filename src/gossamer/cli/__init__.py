"""One file per command.

Heavy modules are imported inside the commands, so that `gossamer --help` answers at once.
Every mistake of the user ends here: one line on standard error, exit status 1; a full disk, with 3.
"""

import gc
import os
import sys
from errno import EDQUOT, EIO, ENOSPC
from typing import Any

from gossamer.core.errors import DiskError, GossamerError
from gossamer.core.system import require_linux

GARBAGE = (20_000, 20, 20)
"""Objects after which a collection is worth its cost. What is imported is no garbage: by Python's own
measure, a fifth of the time of a start goes into looking through it."""

DISK_FAILED = 3
"""Exit status when the disk is full or failed: the same command may work later, so a service tries again."""


def main() -> None:
    """The `gossamer` command."""
    gc.set_threshold(*GARBAGE)
    if "--json" in sys.argv[1:]:
        _keep_for_json()
    sys.exit(run(sys.argv[1:]))


def _keep_for_json() -> None:
    """Leave standard output to our own `print`; what libraries and children write goes to standard error.

    A node of Ray that dies is reported by Ray on the standard output of its client.
    """
    own = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = open(own, "w", encoding=sys.stdout.encoding, errors=sys.stdout.errors)  # noqa: SIM115


def run(arguments: list[str]) -> int:
    """Run a command line and return its exit status."""
    try:
        require_linux()
        return _run(arguments)
    except GossamerError as error:
        status = _complain(error)
        return DISK_FAILED if isinstance(error, DiskError) else status
    except OSError as error:
        is_full = error.errno in (ENOSPC, EDQUOT)
        advice = "; free some and try again" if is_full else ""
        place = error.filename or (is_full and _find_fullest(arguments)) or "error"
        status = _complain(f"{place}: {error.strerror or error}{advice}")
        return DISK_FAILED if is_full or error.errno == EIO else status
    except KeyboardInterrupt:
        return 130


def _find_fullest(arguments: list[str]) -> str:
    """The folder among the arguments whose disk has the least room: a failed write names no file."""
    import shutil
    from pathlib import Path

    named = (Path(one) for one in arguments if not one.startswith("-") and "://" not in one)
    folders = {path if path.is_dir() else path.parent for path in named}
    return str(min(filter(Path.is_dir, folders), key=lambda one: shutil.disk_usage(one).free))


def _run(arguments: list[str]) -> int:
    import typer

    from gossamer.cli.app import gather_commands

    try:
        status = gather_commands(arguments)(arguments, prog_name="gossamer", standalone_mode=False)
    except typer.Exit as exit:
        return exit.exit_code
    except typer.Abort:
        return 130
    except typer.TyperException as error:
        message = _explain(error)
        if message.startswith("Usage:"):  # no command was named
            print(message)
            return 1
        context = getattr(error, "ctx", None)
        hint = f"; see {context.command_path} --help" if context else ""
        return _complain(f"{message.rstrip('.')}{hint}")
    return status if isinstance(status, int) else 0


def _explain(error: Any) -> str:
    """Typer's complaint, with what to write instead of an option or a number that is wrong."""
    message: str = error.format_message()
    if option := getattr(error, "option_name", ""):
        from gossamer.cli.foreign_options import suggest

        command = error.ctx.command
        known = [name for one in command.params for name in one.opts]
        hint = suggest(option, known, command.name == "crawl")
        return f"{error.message}; {hint}" if hint else str(error.message)
    for said, words in _NUMBERS.items():
        message = message.replace(said, words)
    return message


_NUMBERS = {
    "Input should be a valid integer, unable to parse string as an integer": "give a whole number",
    "Input should be a valid number, unable to parse string as a number": "give a number",
    "Input should be": "it must be",
}
"""Words of a library for a wrong number, and ours."""


def _complain(what: object) -> int:
    print(f"gossamer: {what}", file=sys.stderr)
    return 1
