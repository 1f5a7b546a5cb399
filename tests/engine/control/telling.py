"""Crawls to be told something."""

from pathlib import Path
from typing import Any

import gossamer
from gossamer.lab import ServedWeb
from tests.engine.engine_crawling import DNS

EXTERNAL: dict[str, Any] = {"delay": 0, "allow_private": True, "retries": 0, "factor": 0}


def job(served: ServedWeb, out: Path, **knobs: Any) -> gossamer.Crawl:
    """A crawl of a whole simulated web."""
    settings = gossamer.Settings(dns=DNS(servers=(served.dns_address,)))
    return gossamer.Crawl(
        served.seed_url, out=out, settings=settings, **({"scope": "all"} | EXTERNAL | knobs)
    )
