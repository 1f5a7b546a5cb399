"""How much is asked for again when a machine is lost: what was not in remote storage yet, which has a
bound."""

import shutil
from pathlib import Path

import pytest

from gossamer.cluster.storage import CrawlStorage
from gossamer.core.clock import SystemClock
from gossamer.core.directory import Directory
from gossamer.engine import commits
from gossamer.engine.counters import Counters
from gossamer.engine.ledger import Ledger
from gossamer.lab import Web, serve
from tests.engine.engine_crawling import asked
from tests.engine.test_remote_storage import begin

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
    shutil.copytree(path / "storage", path / name)
    CrawlStorage(f"file://{path / name}", SystemClock()).download(path / f"out-{name}")
    record = Ledger.read(Directory(path / f"out-{name}").state)
    return Counters(record.latest(Counters.name)).pages
