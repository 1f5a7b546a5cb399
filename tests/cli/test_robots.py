"""A crawl that got no robots.txt says why, in one line."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.engine_forks import Ended, command
from tests.misbehaving import MisbehavingServer
from tests.misbehaving.nameserver import NameServer


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[MisbehavingServer, NameServer]]:
    with MisbehavingServer() as server, NameServer() as names:
        yield server, names


def crawl(servers: tuple[MisbehavingServer, NameServer], name: str, out: Path) -> Ended:
    server, names = servers
    url = server.url(name).replace("/robots.txt", "/ok/1")
    return command(
        *("crawl", url, "-o", str(out), "--json"),
        *("--dns", names.endpoint, "--allow-private", "--delay", "0"),
        *("--set", "robots.give_up=1", "--set", "fetch.slow_seconds=1"),
    )


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("robots_429", "robots_429"),
        ("robots_500", "robots_500"),
        ("robots_cut", "robots_truncated_disconnect"),
        ("robots_bad_chunks", "robots_truncated_disconnect"),
        ("robots_slow", "robots_truncated_time"),
        ("robots_gzip_announced_only", "robots_undecodable"),
        ("robots_zstd_cut", "robots_undecodable"),
    ],
)
def test_the_reason_is_named(
    servers: tuple[MisbehavingServer, NameServer], name: str, reason: str, tmp_path: Path
) -> None:
    done = crawl(servers, name, tmp_path / "out")
    assert done.status == 2
    assert f"nothing was fetched: {reason}; nothing is allowed while" in done.err
    assert json.loads(done.out)["troubles"].keys() == {reason}
