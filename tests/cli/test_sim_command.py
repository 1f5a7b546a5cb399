"""`gossamer sim serve` as a user meets it."""

import signal
import subprocess
import sys
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gossamer.cli.sim_command import app
from gossamer.core.errors import SettingsError
from gossamer.lab import read_log
from tests.lab.wire import ask_dns, fetch
from tests.patience import PATIENCE

SERVE = [sys.executable, "-c", "from gossamer.cli.sim_command import app; app()", "serve"]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_serves_until_it_is_told_to_stop(how: signal.Signals, tmp_path: Path) -> None:
    log = tmp_path / "log.tsv"
    options = ["--pages", "500", "--hosts", "10", "--seed", "3", "--log", str(log)]
    process = subprocess.Popen([*SERVE, *options], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines = [process.stdout.readline().strip() for _ in range(6)]
    seed = lines[1].split()[-1]
    dns = lines[2].split()[-1]
    assert lines[0] == "A web of 500 pages on 10 hosts, made from seed 3"
    assert lines[4] == (
        f"gossamer crawl {seed} -o DIR --dns {dns} --allow-private --delay 0 --scope all"
    )
    host, port = seed.removeprefix("http://").rstrip("/").split(":")
    address = ask_dns(dns, host)[1][0]
    assert fetch(address, int(port), host, "/").status == 200
    process.send_signal(how)
    assert process.wait(timeout=PATIENCE) == 0
    process.stdout.close()
    assert [request.path for request in read_log(log)] == ["/"]


def test_a_web_without_an_end_comes_with_a_limit() -> None:
    process = subprocess.Popen(
        [*SERVE, "--pages", "50", "--hosts", "5", "--behaviours", "calendar, errors"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    lines = [process.stdout.readline().strip() for _ in range(6)]
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=PATIENCE) == 0
    process.stdout.close()
    assert lines[4].endswith("--scope all --max-pages 2000")


def test_a_living_web_has_days_of_so_many_seconds() -> None:
    options = ["--pages", "60", "--hosts", "3", "--day", "0.001"]
    process = subprocess.Popen([*SERVE, *options], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines = [process.stdout.readline().strip() for _ in range(6)]
    assert lines[0] == "A living web of 60 pages on 3 hosts, made from seed 7; a day takes 0.001 s"
    host, port = lines[1].split()[-1].removeprefix("http://").rstrip("/").split(":")
    address = ask_dns(lines[2].split()[-1], host)[1][0]
    first, second = (fetch(address, int(port), host, "/").fields["date"] for _ in range(2))
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=PATIENCE) == 0
    process.stdout.close()
    assert parsedate_to_datetime(first) < parsedate_to_datetime(second)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--behaviours", "kindness"], "there is no behaviour 'kindness'"),
        (["--pages", "5", "--hosts", "10"], "5 pages are too few for 10 hosts"),
        (["--log", "/nowhere/at/all"], "cannot write the log"),
    ],
)
def test_bad_input_is_one_clear_error(options: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["serve", *options])
    assert result.exit_code == 1
    assert isinstance(result.exception, SettingsError)
    assert message in str(result.exception)


def test_behaviours_are_listed() -> None:
    result = CliRunner().invoke(app, ["behaviours"])
    assert result.exit_code == 0
    assert "calendar      `/calendar/2024-05` links" in result.output
    assert len(result.output.splitlines()) >= 18
