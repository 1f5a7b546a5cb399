"""A full disk has an exit status of its own, by which a service knows that it may try again."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from errno import ENOSPC
from pathlib import Path

import pytest

from gossamer import cli
from gossamer.cli import DISK_FAILED
from gossamer.lab import ServedWeb, Web, serve
from tests.cli.test_commands import local
from tests.engine.engine_forks import command
from tests.needs import needs
from tests.patience import PATIENCE

_SCRIPT = """
mount -t tmpfs -o size=6m tmpfs "$1" || exit 99
cd "$1"; shift
"$@" > /dev/null; echo $?
dd if=/dev/zero of=filler bs=4k 2> /dev/null
"$PYTHON" -m gossamer.cli resume x --quiet > /dev/null; echo $?
"$PYTHON" -m gossamer.cli verify x > /dev/null; echo $?
rm filler
"$PYTHON" -m gossamer.cli verify x > /dev/null; echo $?
"""


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=9, pages=50_000, hosts=50)) as served:
        yield served


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("unshare") is None,
    reason=needs("namespaces", "only root can mount a small disk"),
)
def test_a_full_disk_while_it_runs_and_at_the_next_start(served: ServedWeb, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gossamer.cli", "crawl", served.seed_url, "-o", "x", "-q"]
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", _SCRIPT, "sh", str(tmp_path), *command, *local(served)],
        env=os.environ | {"PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode == 99:
        pytest.skip("no disk can be mounted here")
    assert [int(one) for one in done.stdout.split()] == [DISK_FAILED, DISK_FAILED, 0, 0], (
        done.stderr
    )
    complaints = [line for line in done.stderr.splitlines() if "warning" not in line]
    assert len(complaints) == 2, done.stderr
    assert "when there is space again, continue with `gossamer resume x`" in complaints[0]
    assert "No space left on device" in complaints[1]


def test_a_write_that_names_no_file_names_the_folder_with_least_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It said `gossamer: error: No space left on device`."""
    (tmp_path / "full").mkdir()

    def fail(_: list[str]) -> int:
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    usage, full = shutil.disk_usage(tmp_path), tmp_path / "full"
    monkeypatch.setattr(cli, "_run", fail)
    monkeypatch.setattr(
        shutil, "disk_usage", lambda path: usage._replace(free=path != full and 1 << 40)
    )
    assert (
        cli.run(["export", str(tmp_path), str(full / "x.csv"), "--table", "links"]) == DISK_FAILED
    )
    said = capsys.readouterr().err
    assert said == f"gossamer: {full}: No space left on device; free some and try again\n"


_INDEX = """
mount -t tmpfs -o size=24m tmpfs "$1" || exit 99
cp -r "$2" "$1/x"; cd "$1"
left=$(df --output=avail -k . | tail -1)
dd if=/dev/zero of=filler bs=1k count=$((left - $3)) 2> /dev/null
"$PYTHON" -m gossamer.cli index x --quiet > /dev/null; echo $?
rm filler
"$PYTHON" -m gossamer.cli index x --quiet > /dev/null; echo $?
"$PYTHON" -m gossamer.cli verify x > /dev/null; echo $?
"""


@pytest.fixture(scope="module")
def texts(served: ServedWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("texts") / "x"
    small = ("--max-pages", "60", "--partitions", "2", "-q", *local(served))
    for step in (("crawl", served.seed_url, "-o", str(out), *small), ("text", str(out), "-q")):
        done = command(*step)
        assert done.status == 0, done.err
    return out


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("unshare") is None,
    reason=needs("namespaces", "only root can mount a small disk"),
)
@pytest.mark.parametrize("kilobytes", [28, 200])
def test_an_index_on_a_full_disk_goes_on_when_there_is_room(
    texts: Path, tmp_path: Path, kilobytes: int
) -> None:
    """It ended in a traceback of the engine, or left a shard behind that it refused the next time."""
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", _INDEX, "sh", str(tmp_path), str(texts), str(kilobytes)],
        env=os.environ | {"PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode == 99:
        pytest.skip("no disk can be mounted here")
    assert [int(one) for one in done.stdout.split()] == [DISK_FAILED, 0, 0], done.stderr
    complaints = [line for line in done.stderr.splitlines() if "warning" not in line]
    assert len(complaints) == 1, done.stderr
    assert "No space left on device" in complaints[0]
