"""Crawl directories as versions of Gossamer left them that kept no manifests."""

import json
from pathlib import Path

from msgspec.structs import replace

from gossamer.core.crawl_identity import read_last_line, with_last_line
from gossamer.core.disk.disk_manifest import MANIFEST
from gossamer.engine.status_file import decode_status, encode_status
from gossamer.graph.published_graph import Published, publish


def forget_manifests(out: Path) -> Path:
    """Delete the manifests of a crawl, so that its files may be changed; `verify` misses them."""
    for path in out.rglob(MANIFEST):
        path.unlink()
    return forget_identity(out)


def forget_identity(out: Path) -> Path:
    """Let no file name its crawl, but for manifests of files and the journal of commands."""
    graph, index, status = out / "graph", out / "index" / "manifest.json", out / "state/status.json"
    if (graph / "manifest.json").exists():
        publish(graph, replace(Published(graph).manifest(), crawl=""))
    if index.exists():
        index.write_text(json.dumps(json.loads(index.read_bytes()) | {"crawl": ""}))
    if status.exists():
        status.write_bytes(encode_status(decode_status(status.read_bytes())))
    if not (out / "crawl.toml").exists():
        return out  # only tables
    text = (out / "crawl.toml").read_bytes()
    last = read_last_line(text)
    assert last is not None
    (out / "crawl.toml").write_bytes(with_last_line(text[: last.length].decode(), ""))
    return out
