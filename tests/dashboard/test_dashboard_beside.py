"""`gossamer crawl --serve`: the dashboard begins with the crawl, and shows its end until the user ends it."""

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gossamer.lab import Web, serve
from tests.dashboard.faces import Visitor
from tests.dashboard.live import wait_until
from tests.engine.engine_forks import Begun

SHOWN = re.compile(r"is shown at (http://127\.0\.0\.1:\d+)/(\?token=[\w-]+)\n")
STAYS = "gossamer: the crawl has ended; its dashboard stays until Ctrl-C"


@contextmanager
def shown_crawl(out: Path, *options: str) -> Iterator[tuple[Begun, Visitor, str]]:
    """A command with `--serve`, somebody who looks at it, and its link."""
    with serve(Web(seed=5, pages=100_000, hosts=10)) as served:
        crawl = Begun(
            *("crawl", served.seed_url, "-o", str(out), "--scope", "all", "--delay", "0.05"),
            *("--dns", served.dns_address, "--allow-private", "--partitions", "1"),
            *("--serve", "--serve-port", "0", "--quiet", *options),
        )
        try:
            wait_until(lambda: bool(SHOWN.search(crawl.err)) or crawl.poll() is not None)
            found = SHOWN.search(crawl.err)
            assert found, crawl.err
            visitor = Visitor(found[1])
            visitor.get(f"/{found[2]}")
            yield crawl, visitor, f"{out} is shown at {found[1]}/{found[2]}"
        finally:
            crawl.kill()


def tell(visitor: Visitor, order: str, what: str = "") -> None:
    fields = {"token": visitor.token(), "order": order, "what": what}
    assert visitor.post("/control", fields).status == 303


def state(visitor: Visitor) -> str:
    said: str = visitor.get("/api/state").json["verdict"]["state"]
    return said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_end_is_shown_until_the_user_ends_it(tmp_path: Path, number: int) -> None:
    out = tmp_path / "crawl"
    with shown_crawl(out) as (crawl, visitor, line):
        assert visitor.get("/api/").json["is_running"]
        tell(visitor, "stop")
        wait_until(lambda: STAYS in crawl.err)
        assert state(visitor) == "ended"
        assert "The crawl ended: stopped by the user" in visitor.get("/hosts").text
        crawl.send(number)
        ended = crawl.end()
    assert ended.status == 0, ended
    assert ended.complaints == [line, STAYS]


def test_a_script_ends_with_the_crawl(tmp_path: Path) -> None:
    with shown_crawl(tmp_path / "crawl", "--end-at-once") as (crawl, visitor, line):
        tell(visitor, "stop")
        ended = crawl.end()
    assert ended.status == 0, ended
    assert ended.complaints == [line]


def test_an_interrupt_ends_both(tmp_path: Path) -> None:
    with shown_crawl(tmp_path / "crawl") as (crawl, visitor, line):
        wait_until(lambda: visitor.get("/api/").json["summary"]["pages"] > 0)
        crawl.send(signal.SIGINT)
        ended = crawl.end()
    assert ended.status == 130, ended
    assert ended.complaints == [line]


def test_a_crawl_of_which_all_is_blocked_does_not_look_finished(tmp_path: Path) -> None:
    with shown_crawl(tmp_path / "crawl") as (crawl, visitor, _):
        wait_until(lambda: visitor.get("/api/").json["summary"]["waiting"] > 20)
        tell(visitor, "block", "*")
        wait_until(lambda: STAYS in crawl.err)
        seen = visitor.get("/api/").json
        page = visitor.get("/").text
    assert seen["summary"]["stopped_by"] == "blocked"
    assert seen["summary"]["blocked"] > 0
    kept = f"{seen['summary']['blocked']:,}"
    assert f"The crawl ended: {kept} URLs are blocked" in page
    assert f'<dd id="figure-set_aside">{kept}</dd>' in page
