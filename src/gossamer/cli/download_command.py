"""`gossamer download`: a crawl comes from remote storage to this machine."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from gossamer.core.errors import SettingsError


def download(
    storage: Annotated[str, typer.Argument(help="The URL that was named with --storage.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The crawl directory to create.")],
) -> int:
    """Download a crawl from remote storage: archive, tables and state. The crawl may be running."""
    download_crawl(storage, out)
    return 0


def download_crawl(storage: str, out: Path | None) -> Path:
    """Make a crawl directory of what is in remote storage."""
    from gossamer.cluster.storage import CrawlStorage, is_storage_url
    from gossamer.core.clock import SystemClock

    if not is_storage_url(storage):
        raise SettingsError(f"{storage} is not a URL; write e.g. file:///PATH or s3://BUCKET/PATH")
    if out is None:
        raise SettingsError("no directory was given for the crawl; name one with -o DIR")
    size = CrawlStorage(storage, SystemClock()).download(out)
    print(f"gossamer: {size:,} bytes came from {storage} to {out}", file=sys.stderr)
    return out
