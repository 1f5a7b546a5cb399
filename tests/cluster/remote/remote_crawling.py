"""Crawls whose partitions have nothing in common but their home."""

from pathlib import Path
from typing import Any

import gossamer
from gossamer.cluster.storage import CrawlStorage
from gossamer.core.clock import SystemClock
from gossamer.core.settings import Settings, StoreSettings
from gossamer.lab import ServedWeb
from tests.cluster.remote.remote_forks import Forks
from tests.engine.engine_crawling import DNS

LEASE = 2.0


def begin(served: ServedWeb, path: Path, forks: Forks, **knobs: Any) -> gossamer.Crawl:
    settings = Settings(
        dns=DNS(servers=(served.dns_address,)), store=StoreSettings(checkpoint_every=2.0)
    )
    given = {"delay": 0, "scope": "all", "allow_private": True, "lease": LEASE, "partitions": 2}
    storage = f"file://{path / 'storage'}"
    crawl = gossamer.Crawl(
        served.seed_url,
        out=path / "shell",
        settings=settings,
        storage=storage,
        **{**given, **knobs},
    )
    crawl.go_remote(forks)
    return crawl


def home_of(path: Path, storage: str = "") -> CrawlStorage:
    return CrawlStorage(storage or f"file://{path / 'storage'}", SystemClock())


def download(path: Path, name: str = "out", storage: str = "") -> Path:
    home_of(path, storage).download(path / name)
    return path / name


def disk(path: Path, name: str) -> Path:
    (path / name).mkdir(parents=True)
    return path / name
