"""Tests that need something of the machine: skipped without it, or failed where it was promised.

    pytest.skip(needs("browser", "no Chromium is installed"))

`GOSSAMER_REQUIRE=browser,data` names what the machine has: a test that would be skipped for want of it fails:
so a machine proves that it has tried everything.
"""

import os
from collections.abc import Generator
from typing import Any

import pytest

NEEDS = {
    "browser": "Chromium",
    "data": "suites and data of others, `GOSSAMER_DATA`",
    "nginx": "nginx",
    "kernels": "kernels compiled ahead of the sources that are there, which needs a C compiler",
    "manuals": "documentation in HTML, from packages of Debian",
    "namespaces": "network namespaces, which unprivileged users may lack",
    "ipv6": "a loopback address of IPv6",
    "ray": "Ray, and a network of nothing but loopback (`make ray`)",
    "pywb": "pywb, which replays archives",
    "wacz": "py-wacz, which checks packages",
    "cgit": "cgit, git and lighttpd",
    "systemd": "systemd-analyze",
    "storage": "fsspec",
    "files": "10,000 open files (`ulimit -n`)",
    "axe": "axe-core, `GOSSAMER_AXE` or node_modules",
}
"""What `GOSSAMER_REQUIRE` may name."""

_BEGIN = "needs "


def needs(name: str, reason: str) -> str:
    """The reason to skip a test: what is missing, by its name in `NEEDS`."""
    assert name in NEEDS, name
    return f"{_BEGIN}{name}: {reason}"


def pytest_configure() -> None:
    """A name that is misspelt would require nothing."""
    if unknown := sorted(_required() - NEEDS.keys()):
        raise pytest.UsageError(
            f"GOSSAMER_REQUIRE names {', '.join(unknown)}; it knows {', '.join(NEEDS)}"
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, pytest.TestReport]:
    """Turn a skip into a failure where what it needs is required."""
    report: pytest.TestReport = yield
    if report.skipped and isinstance(report.longrepr, tuple):
        place, line, said = report.longrepr
        reason = str(said).removeprefix("Skipped: ")
        if reason.startswith(_BEGIN) and _name(reason) in _required():
            report.outcome = "failed"
            report.longrepr = f"{place}:{line}: {reason}; GOSSAMER_REQUIRE says it is there"
    return report


def _name(reason: str) -> str:
    return reason.removeprefix(_BEGIN).partition(":")[0]


def _required() -> frozenset[str]:
    words = os.environ.get("GOSSAMER_REQUIRE", "").split(",")
    return frozenset(word.strip() for word in words if word.strip())
