"""One file per command.

Heavy modules are imported inside the commands, so that `gossamer --help` answers at once.
Every mistake of the user ends here: one line on standard error, exit status 1.
"""

import sys

from gossamer.base.errors import GossamerError


def main() -> None:
    """The `gossamer` command."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run a command line and return its exit status."""
    import typer

    from gossamer.cli.app import app

    try:
        status = app(arguments, prog_name="gossamer", standalone_mode=False)
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        hint = f"; see {context.command_path} --help" if context else ""
        print(f"gossamer: {error.format_message().rstrip('.')}{hint}", file=sys.stderr)
        return 1
    except GossamerError as error:
        print(f"gossamer: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"gossamer: {error.filename or 'error'}: {error.strerror}", file=sys.stderr)
        return 1
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except typer.Exit as exit:
        return exit.exit_code
    return status if isinstance(status, int) else 0
