"""`gossamer bring`: a crawl comes from its home to this machine."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from gossamer.base.errors import SettingsError


def bring(
    home: Annotated[str, typer.Argument(help="The URL that was named with --home.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The crawl directory to create.")],
) -> int:
    """Bring a crawl from its home: archive, tables and state. A crawl that still runs is not disturbed."""
    bring_home(home, out)
    return 0


def bring_home(home: str, out: Path | None) -> Path:
    """Make a crawl directory of what is at home."""
    from gossamer.base.clock import SystemClock
    from gossamer.cluster.home import CrawlHome, is_home

    if not is_home(home):
        raise SettingsError(f"{home} is no URL; write file:///PATH, s3://BUCKET/PATH or the like")
    if out is None:
        raise SettingsError("there is no directory for the crawl; name one with -o DIR")
    size = CrawlHome(home, SystemClock()).bring(out)
    print(f"gossamer: {size:,} bytes came from {home} to {out}", file=sys.stderr)
    return out
