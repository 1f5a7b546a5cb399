"""Crawls whose partitions have nothing in common but their home."""

from pathlib import Path
from typing import Any

import gossamer
from gossamer.base.clock import SystemClock
from gossamer.base.settings import Settings, StoreSettings
from gossamer.cluster.home import CrawlHome
from gossamer.lab import ServedWeb
from tests.cluster.far.forks import Forks
from tests.crawl.crawling import DNS

LEASE = 2.0


def begin(served: ServedWeb, path: Path, forks: Forks, **knobs: Any) -> gossamer.Crawl:
    settings = Settings(
        dns=DNS(servers=(served.dns_address,)), store=StoreSettings(checkpoint_every=2.0)
    )
    given = {"delay": 0, "scope": "all", "allow_private": True, "lease": LEASE, "partitions": 2}
    home = f"file://{path / 'home'}"
    crawl = gossamer.Crawl(
        served.seed_url, out=path / "shell", settings=settings, home=home, **{**given, **knobs}
    )
    crawl.go_far(forks)
    return crawl


def home_of(path: Path, home: str = "") -> CrawlHome:
    return CrawlHome(home or f"file://{path / 'home'}", SystemClock())


def bring(path: Path, name: str = "out", home: str = "") -> Path:
    home_of(path, home).bring(path / name)
    return path / name


def disk(path: Path, name: str) -> Path:
    (path / name).mkdir(parents=True)
    return path / name
