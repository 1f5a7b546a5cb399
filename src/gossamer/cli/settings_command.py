"""`gossamer settings`: every knob at its default, described."""

from pathlib import Path
from typing import Annotated

import typer


def settings(
    config: Annotated[
        Path | None, typer.Argument(help="A crawl.toml file to check and complete.")
    ] = None,
) -> int:
    """Print a crawl.toml with every setting: with the default values, or with those of a file."""
    from gossamer.core import settings_file
    from gossamer.core.settings import Settings

    print(settings_file.write(settings_file.read(config) if config else Settings()), end="")
    return 0
