"""Crawl directories as versions of Gossamer left them that kept no manifests."""

from pathlib import Path

from gossamer.core.disk.disk_manifest import MANIFEST


def forget_manifests(out: Path) -> Path:
    """Delete the manifests of a crawl, so that its files may be changed; `verify` misses them."""
    for path in out.rglob(MANIFEST):
        path.unlink()
    return out
