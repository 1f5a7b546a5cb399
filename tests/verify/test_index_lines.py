"""Each line of the index is compared with the record it leads to: no flipped bit goes unnoticed."""

import shutil
from pathlib import Path

import pytest

import gossamer
from gossamer.cli import run
from gossamer.core.directory import Directory
from gossamer.engine.ledger import Ledger
from gossamer.output import read_store_state
from gossamer.verify import Finding, inspect
from gossamer.verify.check_archive import ArchiveLook, Archives
from gossamer.verify.check_index import IndexLook, follow
from gossamer.verify.half_retired import HalfwayLook
from gossamer.verify.table_file import read_table
from tests.engine.static import serve_static

PAGES = {
    "/": ("text/html; charset=utf-8", b"<title>Home</title><a href=a>a</a><a href=b>b</a>"),
    "/a": ("application/octet-stream", b"<!doctype html><title>A</title>the same page twice"),
    "/b": ("application/octet-stream", b"<!doctype html><title>A</title>the same page twice"),
    "/robots.txt": ("", b"<!doctype html><title>Not here</title>"),
}
"""A declared type, one that the first bytes tell, a pointer, and a robots.txt that is none."""


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("index") / "out"
    with serve_static(PAGES) as served:
        job = gossamer.Crawl(f"{served.origin}/", out=out, delay=0, allow_private=True)
        assert job.run().pages == 3
    return out


def lines_of(out: Path) -> list[bytes]:
    return (out / "warc" / "index.cdxj").read_bytes().splitlines(keepends=True)


def problems(out: Path) -> list[Finding]:
    return [finding for finding in inspect(out) if finding.is_problem]


def test_all_kinds_of_lines_are_in_order(crawl: Path) -> None:
    mimes = [line.split(b'"mime":"')[1].split(b'"')[0] for line in lines_of(crawl)]
    assert sorted(mimes) == [b"text/html", b"text/html", b"text/html", b"warc/revisit"]
    assert problems(crawl) == []


def test_every_flipped_bit_of_the_index_is_told(crawl: Path) -> None:
    """By the looks that an inspection consists of, as there are thousands of bits."""
    warc, lines = crawl / "warc", lines_of(crawl)
    store = read_store_state(Ledger.read(Directory(crawl).state).latest("output"))
    look = ArchiveLook(warc, 0, store.archive.warc)
    assert not any(finding.is_problem for finding in look.findings())
    [pages] = [read_table(file) for file in crawl.glob("pages/*.parquet")]

    def said_of(some: list[bytes]) -> str:
        archives = Archives([look])
        try:
            follow(some, archives)
        except ValueError as error:
            return str(error)
        archives.doubts.settle(pages)
        return "".join(finding.said for finding in archives.doubts.findings(warc))

    assert said_of(lines) == ""
    data = b"".join(lines)
    unnoticed = []
    for place, byte in enumerate(data):
        for bit in range(8):
            flipped = data[:place] + bytes([byte ^ 1 << bit]) + data[place + 1 :]
            if not said_of(flipped.splitlines(keepends=True)).startswith("line "):
                unnoticed.append((place, bit, flipped[max(0, place - 20) : place + 20]))
    assert unnoticed == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"status":"200"', b'"status":"201"'),
        (b'"mime":"text/html"', b'"mime":"text/xtml"'),
        (b'"mime":"warc/revisit"', b'"mime":"text/html"'),
        (b'"digest":"', b'"digest":"A'),
        (b'"length":"', b'"length":"1'),
        (b"http://127.0.0.1", b"http://127.0.0.2"),
    ],
)
def test_a_line_that_says_something_else_is_one_line(
    crawl: Path, tmp_path: Path, before: bytes, after: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    out = shutil.copytree(crawl, tmp_path / "copy")
    index = out / "warc" / "index.cdxj"
    data = index.read_bytes()
    assert before in data
    index.write_bytes(data.replace(before, after, 1))
    assert run(["verify", str(out)]) == 1
    said = capfd.readouterr().out.splitlines()
    [bad] = [line for line in said if line.startswith("BAD")]
    assert "warc/index.cdxj" in bad
    assert "does not agree with" in bad or "written to it" in bad or "checksum" in bad


def halfway(out: Path, retiring: int, lengths: dict[Path, int]) -> list[Finding]:
    index = IndexLook(out / "warc", [])
    return list(HalfwayLook(out, index, [retiring], lengths).findings())


def test_lines_are_compared_while_pages_are_retired_as_well(crawl: Path, tmp_path: Path) -> None:
    out = shutil.copytree(crawl, tmp_path / "copy")
    assert not any(finding.is_problem for finding in halfway(out, 0, {}))
    index = out / "warc" / "index.cdxj"
    index.write_bytes(index.read_bytes().replace(b'"mime":"text/html"', b'"mime":"text/xtml"', 1))
    [bad] = [one for one in halfway(out, 0, {}) if one.is_problem]
    assert bad.what == "warc/index.cdxj"


def test_another_partition_may_have_been_writing_while_pages_were_retired(
    crawl: Path, tmp_path: Path
) -> None:
    out = shutil.copytree(crawl, tmp_path / "copy")
    [warc] = out.glob("warc/*.warc.gz")
    length = warc.stat().st_size
    with warc.open("ab") as file:
        file.write(warc.read_bytes()[:50])  # torn by a kill, and not recorded
    assert any(finding.is_problem for finding in halfway(out, 1, {}))
    assert not any(finding.is_problem for finding in halfway(out, 1, {warc: length}))
