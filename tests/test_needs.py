"""What a machine is said to have must be there: a skip for want of it is a failure."""

from pathlib import Path

import pytest

from tests.inner_pytest import Ended, run_pytest

_TESTS = """
import pytest
from tests.needs import needs

def test_skipped():
    pytest.skip(needs("browser", "no Chromium is installed"))

@pytest.mark.skipif(True, reason=needs("nginx", "it is not installed"))
def test_marked():
    pass

@pytest.fixture
def data():
    pytest.skip(needs("data", "there is none"))

def test_fixture(data):
    pass

def test_another_reason():
    pytest.skip("not on this day")
"""


def run(folder: Path, required: str) -> Ended:
    (folder / "test_it.py").write_text(_TESTS)
    (folder / "pytest.ini").touch()
    return run_pytest(
        "-p",
        "tests.needs",
        "--assert=plain",
        "--rootdir",
        folder,
        folder,
        folder=Path(__file__).parents[1],
        environment={"GOSSAMER_REQUIRE": required},
    )


@pytest.mark.parametrize(
    ("required", "counts"),
    [
        ("", "4 skipped"),
        ("browser", "1 failed, 3 skipped"),
        ("browser, data,nginx", "1 failed, 1 skipped, 2 errors"),
    ],
)
def test_what_is_required_fails_without_it(tmp_path: Path, required: str, counts: str) -> None:
    ended = run(tmp_path, required)
    assert counts in ended.out, ended.out + ended.err
    if required:
        said = "needs browser: no Chromium is installed; GOSSAMER_REQUIRE says it is there"
        assert said in ended.out


def test_an_unknown_name_is_an_error(tmp_path: Path) -> None:
    ended = run(tmp_path, "browser,chromium")
    assert ended.status == pytest.ExitCode.USAGE_ERROR
    assert "GOSSAMER_REQUIRE names chromium; it knows browser, data, nginx" in ended.err
