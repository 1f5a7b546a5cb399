"""`gossamer crawl --serve`: the face begins and ends with the crawl."""

import re
from pathlib import Path

from gossamer.lab import Web, serve
from tests.crawl.forks import Begun
from tests.serve.faces import Visitor
from tests.serve.live import wait_until

SHOWN = re.compile(r"is shown at (http://127\.0\.0\.1:\d+)/(\?token=[\w-]+)\n")


def test_a_crawl_is_shown_as_long_as_it_runs(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with serve(Web(seed=5, pages=100_000, hosts=10)) as served:
        crawl = Begun(
            *("crawl", served.seed_url, "-o", str(out), "--scope", "all", "--delay", "0.05"),
            *("--dns", served.dns_address, "--allow-private", "--partitions", "1"),
            *("--serve", "--serve-port", "0", "--quiet"),
        )
        try:
            wait_until(lambda: bool(SHOWN.search(crawl.err)) or crawl.poll() is not None)
            found = SHOWN.search(crawl.err)
            assert found, crawl.err
            visitor = Visitor(found[1])
            visitor.get(f"/{found[2]}")
            assert visitor.get("/api/").json["is_running"]
            assert (
                visitor.post("/control", {"token": visitor.token(), "order": "stop"}).status == 303
            )
        finally:
            ended = crawl.end()
    assert ended.status == 0, ended
    assert ended.complaints == [f"{out} is shown at {found[1]}/{found[2]}"]
