"""The unit for systemd: what systemd itself says of it, and what a crawl needs of it."""

import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path

import pytest
from tools.reference import EXIT_STATUSES

from gossamer.cli import DISK_FAILED
from gossamer.core.settings import Settings
from tests.needs import needs

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "deploy" / "gossamer@.service"


def read() -> RawConfigParser:
    unit = RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(UNIT.read_text())
    return unit


def test_it_is_given_time_to_end_cleanly() -> None:
    service = read()["Service"]
    assert float(service["TimeoutStopSec"]) > Settings().crawl.stop_within + 10
    assert service["KillMode"] == "mixed", "partitions are ended by their supervisor"
    assert service["SuccessExitStatus"] == "130", "so ends a crawl that was interrupted"


def test_it_is_started_again_after_a_full_disk_and_not_after_a_mistake() -> None:
    service = read()["Service"]
    prevented = {int(number) for number in service["RestartPreventExitStatus"].split()}
    assert service["Restart"] == "on-failure"
    assert prevented == {1, 2}
    assert DISK_FAILED in EXIT_STATUSES.keys() - prevented - {0, 130}


def test_it_runs_a_command_that_there_is() -> None:
    program, command, directory, *options = read()["Service"]["ExecStart"].split()
    told = (ROOT / "docs" / "commands.md").read_text("utf-8")
    assert program.endswith("/bin/gossamer")
    assert f"## `gossamer {command} " in told
    assert directory.startswith("/var/lib/gossamer/")
    assert all(f"`{option}" in told for option in options)


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason=needs("systemd", "systemd-analyze is not installed"),
)
def test_systemd_finds_nothing_wrong_with_it(tmp_path: Path) -> None:
    shutil.copy(UNIT, tmp_path / "gossamer@.service")
    text = (tmp_path / "gossamer@.service").read_text()
    (tmp_path / "gossamer@.service").write_text(
        text.replace("/opt/gossamer/bin/gossamer", "/bin/true")
    )
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "gossamer@x.service"],
        cwd=tmp_path,
        env={"SYSTEMD_UNIT_PATH": f"{tmp_path}:", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    about = [line for line in done.stderr.splitlines() if "gossamer" in line]
    assert about == []
