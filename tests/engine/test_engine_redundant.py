"""A web that is larger than it is rich: traps, aliases, mirrors, soft errors, and what is found anyhow."""

import json
import signal
from pathlib import Path
from random import Random

import gossamer
from gossamer.core.settings import BudgetSettings
from gossamer.lab import ServedWeb, Web, serve
from gossamer.lab.behaviours import REDUNDANT, Calendar, Sessions
from tests.engine.engine_checking import assert_valid
from tests.engine.engine_crawling import asked, crawl, query
from tests.engine.engine_forks import Ended, command, death_after
from tests.engine.test_engine_discovery import Server, server
from tests.examples import PROFILE
from tests.pipeline.scope.scope_pages import prose

__all__ = ["server"]

FETCHES, GOOD = (4000, 0.88) if PROFILE == "new" else (2000, 0.8)
"""More in `make soak`, of which more are good: what detectors need to see first is about 350 fetches."""
DETECTORS = ("worth", "traps", "soft_errors", "dust", "mirrors")
NO_BUDGETS = BudgetSettings(kind="off")


def redundant() -> Web:
    return Web(seed=7, pages=FETCHES * 6 // 5, hosts=5, behaviours=REDUNDANT)


def good_pages(served: ServedWeb, out: Path) -> int:
    """Ordinary pages that were fetched, each counted once, whatever its spelling or host."""
    rows = query(out, "select url from pages where status = 200")
    return len({page for (url,) in rows if (page := served.web.page_of(url)) is not None})


def test_what_a_crawl_of_limited_size_finds(tmp_path: Path) -> None:
    """Eight tenths of what it finds on a clean web, where each fetch brings a good page; without the
    detectors, less than half."""
    found = {}
    for name, knobs in (("on", {}), ("off", dict.fromkeys(DETECTORS, False))):
        with serve(redundant()) as served:
            out = tmp_path / name
            summary = crawl(served, out, NO_BUDGETS, max_pages=FETCHES, **knobs)
            assert summary.pages == FETCHES
            found[name] = good_pages(served, out)
    assert found["on"] >= GOOD * FETCHES, found
    assert found["off"] < 0.5 * FETCHES, found
    status = json.loads((tmp_path / "on" / "state" / "status.json").read_bytes())
    assert status["held"] > 0
    assert status["respelled"] > 0
    assert status["soft_errors"] > 0
    said = "\n".join(status["decisions"])
    for word in ("a mirror of", "changes nothing", "soft errors at"):
        assert word in said


def test_a_crawl_into_traps_comes_to_an_end_and_has_all_pages(tmp_path: Path) -> None:
    out = tmp_path / "out"
    web = Web(seed=5, pages=200, hosts=6, behaviours=(Calendar(every=1), Sessions(every=1)))
    with serve(web) as served:
        summary = crawl(served, out, NO_BUDGETS, max_pages=5000)
        assert served.web.expected() <= set(asked(served))
        assert summary.stopped_by == "finished"
        assert summary.held > 0
        on = summary.pages
        # Who wants them can still have them: they were held, not dropped.
        more = gossamer.Crawl.resume(out, changes={"detect.traps": False}, max_pages=on + 300)
        assert more.run().pages == on + 300
    assert_valid(out)


def test_paused_urls_survive_a_kill(tmp_path: Path) -> None:
    out, chance = tmp_path / "out", Random(5)
    web = Web(seed=5, pages=200, hosts=3, behaviours=(Calendar(every=1), Sessions(every=1)))
    with serve(web) as served:
        for _ in range(3):
            with death_after(40, chance):
                assert _live(served, out).status == -signal.SIGKILL
        done = _live(served, out)
        assert done.status == 0, done.err
        summary = json.loads(done.out)
        assert served.web.expected() <= set(asked(served))
        assert summary["stopped_by"] == "finished"
        assert summary["held"] > 0
        held = summary["held"]
        off = {"detect.traps": False, "crawl.max_pages": summary["pages"] + held}
        more = gossamer.Crawl.resume(out, changes=off).run()
        assert more.pages == summary["pages"] + held, "what was held was there to be fetched"
    assert_valid(out)


def _live(served: ServedWeb, out: Path) -> Ended:
    """Crawl, or go on."""
    if (out / "crawl.toml").exists():
        return command("resume", str(out), "--json")
    return command(
        *("crawl", served.seed_url, "-o", str(out), "--scope", "all", "--json"),
        *("--dns", served.dns_address, "--allow-private", "--delay", "0.002"),
        *("--set", "politeness.factor=0", "--set", "politeness.address_delay=0"),
        *("--set", "store.checkpoint_every=0.3", "--set", "budget.kind=off", "--partitions", "2"),
    )


def test_a_large_site_of_one_pattern_is_fetched_as_a_whole(server: Server, tmp_path: Path) -> None:
    """Every page has the next ones in its footer, so the pattern feeds itself; and every one is new."""
    count = 2000
    for number in range(count):
        links = "".join(f"<a href=/item/{one}>next</a>" for one in range(number, number + 4))
        server.page(f"/item/{number}", f"<p>{prose(number)} number {number}</p>{links}")
    server.page("/", "<a href=/item/0>items</a>")
    summary = server.crawl(tmp_path / "out", per_host=4)
    assert summary.statuses["200"] == count + 1
    assert summary.held == 0


def test_a_host_that_never_says_no(server: Server, tmp_path: Path) -> None:
    """Dead links answer 200: the host is asked once, dead ends are marked, and good pages are not."""
    out = tmp_path / "out"
    missing = "We are sorry, but there is no such page here. Perhaps you meant another one?"
    server.page("/", "".join(f"<a href=/dead/{n}>x</a><a href=/good/{n}>y</a>" for n in range(30)))
    for number in range(30):
        server.page(f"/good/{number}", prose(number * 13))
    server.default = (200, {"Content-Type": "text/html"}, missing + "<a href=/dead/end>more</a>")
    server.answers["/robots.txt"] = (404, {}, "")
    summary = server.crawl(out)
    rows = query(out, "select url, via, is_soft_error from pages where status = 200")
    probes = [url for url, via, _ in rows if via == "probe"]
    assert len(probes) == 1
    assert "/dead/" in probes[0]
    marked = {url for url, _, is_soft in rows if is_soft}
    assert len(marked) == summary.soft_errors >= 20
    assert all("/dead/" in url for url in marked)
    assert summary.refused["soft_error"] >= 20
    assert any("soft errors at" in line for line in summary.decisions)


def test_what_is_held_is_looked_at_again_although_a_dead_host_waits(tmp_path: Path) -> None:
    """Nothing but the dead host is left: it must not keep the others' URLs from their second look."""
    asked_for = []
    for name, dead in (("without", []), ("with", ["http://127.0.0.1:9/"])):
        web = Web(seed=5, pages=60, hosts=3, behaviours=(Calendar(every=1),))
        with serve(web) as served:
            summary = gossamer.Crawl(
                *(served.seed_url, *dead),
                out=tmp_path / name,
                settings=gossamer.Settings(budget=NO_BUDGETS),
                scope="all",
                delay=0,
                patience=3,
                unanswered_wait=3,
                servers=[served.dns_address],
                allow_private=True,
            ).run()
            asked_for.append(len(asked(served)))
        assert summary.stopped_by == "finished"
        assert summary.held > 0
    assert asked_for[1] >= 0.7 * asked_for[0]  # some by chance; without a second look, a third
