"""A simulated crawl asks for nothing that it made up itself: the truth knows only what pages name."""

from pathlib import Path

import pytest

from gossamer.core.disk import disk_files
from gossamer.lab.simulator.scenario import SCENARIOS
from gossamer.lab.simulator.simulation import Play

EAGER = {"detect.pairs": 1, "detect.samples": 1, "detect.same_answers": 2}
"""Whoever tries spellings and names out does so at the first occasion."""


def test_no_other_spelling_is_tried_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play(0, SCENARIOS["calm"], tmp_path / "out", changes=EAGER)
    monkeypatch.setattr(disk_files, "system", play.disk)
    play.run()
    assert any("/print/" in one.path for one in play.network.log), "there were copies to learn from"
