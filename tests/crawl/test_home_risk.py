"""How much is asked for again when a machine is lost: what was not at home yet, which has a bound."""

import shutil
from pathlib import Path

import pytest

from gossamer.base.clock import SystemClock
from gossamer.base.directory import Directory
from gossamer.cluster.home import CrawlHome
from gossamer.crawl import commits
from gossamer.crawl.ledger import Ledger
from gossamer.crawl.tally import Tally
from gossamer.lab import Web, serve
from tests.crawl.crawling import asked
from tests.crawl.test_home import begin

AT_RISK, TRANSFERS, EVERY = 10, 3, 11
WEB = Web(seed=5, pages=90, hosts=6)


@pytest.mark.parametrize("at_risk", [AT_RISK, 0])
def test_few_pages_are_not_at_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_risk: int
) -> None:
    """No commit comes by time here. Those that come by pages leave few at risk; without them, all are."""
    monkeypatch.setattr(commits, "_COMMIT_EVERY", 1e9)
    monkeypatch.setattr(commits, "_HURRY", 0)  # a slow machine has slow commits
    worst = looks = 0
    with serve(WEB) as served:
        crawl = begin(
            served, tmp_path, commit_pages=at_risk, transfers=TRANSFERS, checkpoint_every=1e8
        )
        for _ in crawl.turns():
            if crawl.summary().pages > EVERY * (looks + 1):
                looks += 1
                worst = max(worst, len(asked(served)) - brought(tmp_path, f"{looks}"))
        assert crawl.summary().stopped_by == "finished"
    if at_risk:
        assert worst <= AT_RISK + 2 * TRANSFERS, "with those of one turn, and those under way"
    else:
        assert worst > len(WEB.expected()) // 2


def brought(path: Path, name: str) -> int:
    """Pages that a crawl would have if its machine were lost now."""
    shutil.copytree(path / "home", path / name)
    CrawlHome(f"file://{path / name}", SystemClock()).bring(path / f"out-{name}")
    record = Ledger.read(Directory(path / f"out-{name}").state)
    return Tally(record.latest(Tally.name)).pages
