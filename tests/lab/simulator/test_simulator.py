"""Whole crawls in the simulator: whatever goes wrong, every promise is kept; and a seed says it all."""

import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from gossamer.cluster.frames import Frame, FrameKind
from gossamer.core.clock import VirtualClock
from gossamer.core.disk import disk_files
from gossamer.lab.simulator import SCENARIOS, draw_scenario
from gossamer.lab.simulator.simulated_connections import Direction, Mishaps, VirtualConnection
from gossamer.lab.simulator.simulated_disk import Killed, SimulatedDisk
from gossamer.lab.simulator.virtual_poller import VirtualPoller
from tests.lab.simulator.mutations import SURROUNDINGS

SEEDS = int(os.environ.get("GOSSAMER_SEEDS", "20"))
"""Each scenario once or twice; `make soak` plays thousands."""
AT_ONCE = 5 if SEEDS <= 40 else SEEDS
"""A test for some seeds at a time: several workers can share them, and none takes long on a busy machine."""
JOBS = os.environ.get("GOSSAMER_JOBS", "2")


def simulate(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gossamer.cli", "lab", "simulate", *arguments],
        env={**os.environ, **SURROUNDINGS},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.timeout(0 if SEEDS > 40 else 900)
@pytest.mark.parametrize("first", range(0, SEEDS, AT_ONCE))
def test_every_promise_is_kept(first: int) -> None:
    done = simulate("--seed", str(first), "--seeds", str(AT_ONCE), "--jobs", JOBS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all checks passed" in done.stdout


def test_a_commit_that_comes_before_its_time_counts_what_was_received() -> None:
    """A partition sleeps, is woken by a message, commits, and the power fails: the message stays counted."""
    done = simulate("--seed", "717")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_seeds_play_every_scenario() -> None:
    drawn = [draw_scenario(seed) for seed in range(SEEDS)]
    assert {name for name, _ in drawn} == set(SCENARIOS)
    assert all(one.partitions > 1 for name, one in drawn if name in ("exchange", "storm"))


def test_each_host_of_a_drawn_web_has_a_page() -> None:
    assert all(one.hosts <= one.pages for _, one in map(draw_scenario, range(2000)))


def test_the_same_seed_gives_the_same_run_and_the_same_files(tmp_path: Path) -> None:
    """Byte for byte, names of WARC records included; of several partitions that die."""
    outs = [tmp_path / "first", tmp_path / "second"]
    first, second = (simulate("--seed", "8", "-o", str(out)) for out in outs)
    assert first.returncode == 0, first.stdout + first.stderr
    assert "has died" in first.stdout
    assert first.stdout.replace(str(outs[0]), "…") == second.stdout.replace(str(outs[1]), "…")
    _assert_same_files(*outs)
    other = simulate("--seed", "2")
    assert _decided(other.stdout) != _decided(first.stdout)


def _assert_same_files(first: Path, second: Path) -> None:
    names = [path.relative_to(first) for path in _files_of(first)]
    assert len(names) > 3
    assert names == [path.relative_to(second) for path in _files_of(second)]
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes(), name


def _files_of(out: Path) -> list[Path]:
    folders = ("warc", "pages", "links")
    return sorted(path for folder in folders for path in (out / folder).rglob("*"))


def _decided(text: str) -> str:
    found = re.search(r"fingerprint of decisions: ([0-9a-f]{16})", text)
    assert found is not None, text
    return found[1]


def test_a_scenario_that_is_none() -> None:
    done = simulate("--scenario", "sunshine")
    assert done.returncode == 1
    assert done.stderr.startswith("gossamer: there is no scenario 'sunshine'; choose from: calm")
    assert done.stderr.count("\n") == 1


def test_a_poller_wakes_for_what_is_due() -> None:
    clock, heard = VirtualClock(), list[str]()
    poller = VirtualPoller(clock)
    poller.call_at(3.0, lambda: heard.append("later"))
    poller.call_at(1.0, lambda: heard.append("sooner"))
    assert (poller.wait(2.0), poller.next_wake) == (0, 1.0)
    clock.advance(1.0)
    assert (poller.wait(2.0), heard) == (1, ["sooner"])
    clock.advance(5.0)
    assert (poller.wait(0.0), heard) == (1, ["sooner", "later"])
    poller.close()
    assert poller.next_wake == float("inf")


@pytest.mark.parametrize(
    ("mishaps", "arrive"),
    [
        (Mishaps(), 100),
        (Mishaps(lost=1.0), 0),
        (Mishaps(doubled=1.0), 200),
        (Mishaps(late=1.0), 100),
    ],
)
def test_what_happens_to_batches(mishaps: Mishaps, arrive: int) -> None:
    clock = VirtualClock()
    out, back = Direction(clock, Random(1), mishaps), Direction(clock, Random(2), Mishaps())
    ours, theirs = VirtualConnection(back, out), VirtualConnection(out, back)
    sent = [Frame(FrameKind.BATCH, 0, number) for number in range(100)]
    for frame in sent:
        ours.send(frame)
    ours.send(Frame(FrameKind.STOP))
    assert theirs.frames() == [], "nothing is there at once"
    clock.advance(mishaps.longest_delay + 1)
    found = theirs.frames()
    assert Frame(FrameKind.STOP) in found, "orders always arrive"
    batches = [frame for frame in found if frame.kind == FrameKind.BATCH]
    assert len(batches) == arrive
    assert (batches == sent) == (arrive == 100 and not mishaps.late)
    ours.close()
    clock.advance(1.0)
    assert theirs.is_closed


def test_a_power_cut_undoes_what_was_not_synced(tmp_path: Path) -> None:
    disk = SimulatedDisk(VirtualClock(), Random(4))
    path = tmp_path / "file"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    disk.write(descriptor, memoryview(b"durable "))
    disk.sync(descriptor)
    for _ in range(20):
        disk.write(descriptor, memoryview(b"lost "))
    disk.truncate(descriptor, 4)
    disk.cut_power()
    os.close(descriptor)
    left = path.read_bytes()
    assert left.startswith(b"durable ")
    assert len(left) < 8 + 20 * 5


def test_a_power_cut_undoes_names_that_were_not_synced(tmp_path: Path) -> None:
    """Whatever comes of it, there is the old file or the new one."""
    outcomes = set()
    for seed in range(20):
        disk = SimulatedDisk(VirtualClock(), Random(seed))
        path, draft = tmp_path / "file", tmp_path / ".file.tmp"
        path.write_text("old")
        draft.write_text("new")
        disk.rename(draft, path)
        disk.cut_power()
        outcomes.add(path.read_text())
        draft.write_text("newer")
        disk.rename(draft, path)
        disk.sync_folder(tmp_path)
        disk.cut_power()
        assert path.read_text() == "newer"
        disk.delete(path)
        disk.cut_power()
        outcomes.add("there" if path.exists() else "gone")
    assert outcomes == {"old", "new", "there", "gone"}


def test_a_file_is_torn_when_its_writer_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = set()
    for seed in range(20):
        disk = SimulatedDisk(VirtualClock(), Random(seed))
        monkeypatch.setattr(disk_files, "system", disk)
        disk.kill_after = 1
        with pytest.raises(Killed):
            disk_files.write_whole(tmp_path / "file", lambda file: file.write(b"12345"))
        assert not (tmp_path / "file").exists()
        sizes.add((tmp_path / ".file.tmp").stat().st_size)
    assert len(sizes) > 3, "who is killed does not tidy up"


def test_a_read_fails_once(tmp_path: Path) -> None:
    disk = SimulatedDisk(VirtualClock(), Random(4))
    (tmp_path / "file").write_text("something")
    disk.fail_read_after = 2
    disk.open(tmp_path / "file").close()
    with pytest.raises(OSError, match="Input/output error"):
        disk.open(tmp_path / "file")
    disk.open(tmp_path / "file").close()
    assert disk.has_failed


def test_a_process_dies_at_a_write(tmp_path: Path) -> None:
    disk = SimulatedDisk(VirtualClock(), Random(4))
    descriptor = os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT)
    disk.kill_after = 2
    disk.write(descriptor, memoryview(b"one"))
    with pytest.raises(Killed):
        disk.write(descriptor, memoryview(b"two"))
    with pytest.raises(Killed):
        disk.write(descriptor, memoryview(b"three"))
    os.close(descriptor)
    assert (tmp_path / "file").read_bytes() in (b"one", b"onet", b"onetw", b"onetwo")
