"""Groups and mirrors, from tables as a crawl writes them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gossamer.archive.duplicate_groups import CopiesReport, find_duplicates
from gossamer.core.copies import CopyKind
from gossamer.lab import Web, serve
from tests.analyzers.duplicates.texts import prose
from tests.engine.engine_crawling import crawl, query
from tests.engine.test_engine_discovery import Server, server
from tests.patience import PATIENCE

__all__ = ["server"]


def mirrored(server: Server, out: Path) -> CopiesReport:
    """One server under two names; a page of one has changed a little, and one has other markup."""
    here = server.url
    there = here.replace("127.0.0.1", "localhost")
    names = [f"/{number}" for number in range(6)]
    links = "".join(f"<a href={origin}{name}>" for origin in (here, there) for name in names)
    server.page("/", links)
    for number, name in enumerate(names):
        server.page(name, f"<p>{prose(number, 200).decode()}</p>")
    server.page("/near", f"<p>{prose(0, 210).decode()}</p>")
    server.page("/text", f"<h1>{prose(1, 200).decode().upper()}</h1>")
    server.answers["/"] = (
        200,
        {"Content-Type": "text/html"},
        links + "<a href=/near><a href=/text>",
    )
    server.crawl(out, scope="all", per_host=1)
    return find_duplicates(out / "pages", limit=20, shown=5, share=0.5)


def test_groups_and_mirrors(server: Server, tmp_path: Path) -> None:
    report = mirrored(server, tmp_path / "out")
    assert report.pages == 15
    assert report.alike == {"same": 6, "text": 1, "near": 1}
    assert report.total_groups == len(report.groups) == 8
    by_kind = {group.kind: group for group in report.groups}
    assert by_kind[CopyKind.TEXT].pages == 2
    [near] = by_kind[CopyKind.NEAR].members
    assert 0.85 < near.similarity < 1.0
    [mirror] = report.mirrors
    assert mirror.hosts == ("127.0.0.1", "localhost")
    assert mirror.pages == (9, 6)
    assert mirror.same_paths == 6
    assert mirror.share == 1.0


def test_the_output_is_bounded_and_the_totals_say_so(server: Server, tmp_path: Path) -> None:
    mirrored(server, tmp_path / "out")
    report = find_duplicates(tmp_path / "out" / "pages", limit=2, shown=0, share=0.5)
    assert len(report.groups) == 2
    assert report.groups[0].members == []
    assert report.total_groups == 8


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gossamer.cli", "duplicates", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_the_command(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=300, hosts=6, behaviours=("duplicates",))) as served:
        crawl(served, out)
    [(copies,)] = query(out, "select count(*) from pages where duplicate_of is not null")
    assert copies > 10
    report = json.loads(run(str(out), "--json", "--limit", "3", "--members", "1").stdout)
    assert report["alike"]["same"] == copies
    assert len(report["groups"]) == 3
    plain = run(str(out), "--limit", "4")
    assert plain.returncode == 0
    assert f"{copies} same" in plain.stdout
    assert plain.stdout.count("same  ") == 4


@pytest.mark.parametrize("has_settings", [True, False])
def test_no_crawl_no_tables(tmp_path: Path, has_settings: bool) -> None:
    if has_settings:
        (tmp_path / "crawl.toml").write_text("")
    done = run(str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("gossamer: ")
    assert len(done.stderr.splitlines()) == 1
    assert ("no table" in done.stderr) == has_settings
