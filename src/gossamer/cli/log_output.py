"""Messages on standard error beside a command's own output: warnings, and reasons for a wait."""

import logging
import sys


class _Aloud(logging.Handler):
    """Prints on what is standard error at that moment: above the panel, while there is one."""

    def emit(self, record: logging.LogRecord) -> None:
        kind = "warning: " if record.levelno >= logging.WARNING else ""
        print(f"gossamer: {kind}{record.getMessage()}", file=sys.stderr, flush=True)


def speak_up() -> None:
    logging.basicConfig(handlers=[_Aloud()])
    logging.getLogger("gossamer").setLevel(logging.INFO)


def keep_quiet() -> None:
    """From now on only warnings."""
    logging.getLogger("gossamer").setLevel(logging.WARNING)
