"""Many simulations at once: what takes too long is told by its own time, not by that of a busy machine."""

import os
import resource
import signal
from typing import Any

import pytest

from gossamer.lab.simulator import simulation_runs


def test_one_that_has_used_up_its_processor_time_took_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def go_on_for_ever(*_: Any) -> None:
        os.kill(os.getpid(), signal.SIGXCPU)  # as the kernel does

    monkeypatch.setattr(simulation_runs, "simulate", go_on_for_ever)
    [story] = simulation_runs.play_all([7])
    assert (story.seed, story.foul) == (7, "it took too long")


def test_processor_time_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    def tell(*_: Any) -> None:
        raise ValueError(resource.getrlimit(resource.RLIMIT_CPU)[0])

    monkeypatch.setattr(simulation_runs, "simulate", tell)
    [story] = simulation_runs.play_all([7])
    assert story.foul == "ValueError: 600"


def test_one_that_waits_for_ever_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation_runs, "simulate", lambda *_: signal.pause())
    monkeypatch.setattr(simulation_runs, "_TIMEOUT", 0.0)
    [story] = simulation_runs.play_all([7])
    assert story.foul == "it took too long"
