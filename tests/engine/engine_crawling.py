"""Crawls of the simulated web, for tests that compare them with the truth."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Protocol

import duckdb

import gossamer
from gossamer.core.settings import BudgetSettings
from gossamer.engine.summary import Summary
from gossamer.lab import LoggedRequest, ServedWeb, Web


def crawl(
    served: ServedWeb, out: Path, budget: BudgetSettings | None = None, **knobs: Any
) -> Summary:
    """Crawl a served web from its seed, with no waiting unless told otherwise."""
    settings = {
        "delay": 0,
        "scope": "all",
        "allow_private": True,
        "retries": 1,
        "retry_wait": 0.05,
        "failure_wait": 0.05,
        "give_up": 2,
        **knobs,
    }
    job = gossamer.Crawl(
        served.seed_url,
        out=out,
        settings=gossamer.Settings(
            dns=DNS(servers=(served.dns_address,)), budget=budget or BudgetSettings()
        ),
        **settings,
    )
    return job.run()


DNS = type(gossamer.Settings().dns)


class LoggedWeb(Protocol):
    """A simulated web that is served, and knows who asked."""

    web: Web
    http_port: int

    def requests(self) -> list[LoggedRequest]: ...


def asked(served: LoggedWeb) -> Counter[str]:
    """How often each URL was asked for, robots.txt apart, by the server's own log."""
    urls = Counter(url_of(served, request) for request in served.requests())
    return Counter({url: times for url, times in urls.items() if not served.web.is_robots(url)})


def url_of(served: LoggedWeb, request: LoggedRequest) -> str:
    return f"http://{request.host}:{served.http_port}{request.path}"


def by_host(requests: list[LoggedRequest]) -> dict[str, list[LoggedRequest]]:
    """Requests of each host in the order they began."""
    return _group(requests, "host")


def by_address(requests: list[LoggedRequest]) -> dict[str, list[LoggedRequest]]:
    """Requests of each server address in the order they began."""
    return _group(requests, "address")


def _group(requests: list[LoggedRequest], name: str) -> dict[str, list[LoggedRequest]]:
    groups: dict[str, list[LoggedRequest]] = defaultdict(list)
    for request in sorted(requests):
        groups[getattr(request, name)].append(request)
    return groups


def query(out: Path, sql: str) -> list[tuple[Any, ...]]:
    """Ask the crawl's tables; `pages` and `links` are there, and `items` if there are any."""
    with duckdb.connect() as connection:
        for table in ("pages", "links", *(("items",) if (out / "items").exists() else ())):
            connection.execute(
                f"create view {table} as from read_parquet('{out}/{table}/*.parquet')"
            )
        return connection.execute(sql).fetchall()
