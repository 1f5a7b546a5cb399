"""Which planted faults of a site the report names, beside linkchecker in the same run.

    python -m benchmarks.broken_links [--linkchecker PATH]

The site and its faults are those of `tests/report/faults.py`, on loopback. linkchecker, if its path is given
(`pip install linkchecker` in an environment of its own), checks links to elsewhere, fragments and everything
else it can; an error or a warning that it gives for the page or the URL at fault counts.
"""

import argparse
import csv
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.report.faults import CHECKED, FAULTS, SITE, Fault, is_named, serve_faults

from gossamer.report import ReportOptions, make_report

_CONFIG = "[AnchorCheck]\n[checking]\nmaxrequestspersecond=10000\n[filtering]\ncheckextern=1\n"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--linkchecker", type=Path)
    options = parser.parse_args()
    faults = [*FAULTS, *CHECKED]
    with TemporaryDirectory() as folder, serve_faults(faults) as names:
        Path(folder).chmod(0o755)  # linkchecker gives up the rights of root
        ours = _ours(faults, names, Path(folder))
        theirs = _theirs(options.linkchecker, faults, names, Path(folder))
    for fault in faults:
        print(f"{_sign(ours, fault)} {_sign(theirs, fault)}  {fault.name}")
    print(f"\nreport {len(ours)} of {len(faults)}, linkchecker {_count(theirs)}")


def _ours(faults: list[Fault], names: dict[str, str], folder: Path) -> set[str]:
    options = ("--allow-private", "-q", "--page-requisites", "--set", "politeness.retries=0")
    quick = ("--set", "politeness.delay=0", "--set", "politeness.unanswered_wait=2")
    crawl = ("crawl", names[SITE] + "/", "-o", str(folder / "crawl"), *options, *quick)
    subprocess.run([sys.executable, "-m", "gossamer", *crawl], check=True, capture_output=True)
    sections = make_report(folder / "crawl", ReportOptions(check_external=True))
    return {fault.name for fault in faults if is_named(fault, sections, names)}


def _theirs(
    program: Path | None, faults: list[Fault], names: dict[str, str], folder: Path
) -> set[str] | None:
    """What linkchecker complains of; None if it is not there."""
    if program is None:
        return None
    config = folder / "config"
    config.write_text(_CONFIG)
    command = [str(program), "-f", str(config), "--check-extern", "-v", "-o", "csv"]
    done = subprocess.run(
        [*command, names[SITE] + "/"], capture_output=True, text=True, timeout=300, check=False
    )
    lines = [line for line in done.stdout.splitlines() if not line.startswith("#")]
    rows = [row for row in csv.DictReader(lines, delimiter=";") if _is_complaint(row)]
    return {fault.name for fault in faults if any(_is_of(fault, row, names) for row in rows)}


def _is_complaint(row: dict[str, str | None]) -> bool:
    return row["valid"] != "True" or bool(row["warningstring"])


def _is_of(fault: Fault, row: dict[str, str | None], names: dict[str, str]) -> bool:
    """Is it about what stands on the faulty page, or about what that names?"""
    page = names[SITE] + fault.page
    is_target = fault.sign.startswith("/x/") and (row["urlname"] or "").endswith(fault.sign)
    return row["parentname"] == page or is_target


def _sign(found: set[str] | None, fault: Fault) -> str:
    return "?" if found is None else "x" if fault.name in found else "-"


def _count(found: set[str] | None) -> str:
    return "not asked" if found is None else str(len(found))


if __name__ == "__main__":
    main()
