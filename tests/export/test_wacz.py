"""One file with all of a crawl: what it lists is there, and each line of its index leads to its record."""

import gzip
import hashlib
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from zipfile import ZIP_STORED, ZipFile

import pytest
from warcio.archiveiterator import ArchiveIterator

from gossamer.archive import StoredCrawl
from gossamer.export import write_wacz, zipnum
from gossamer.lab import Web, serve
from tests.engine.engine_crawling import crawl
from tests.engine.engine_forks import command, death_after
from tests.needs import needs

NOW = 1_800_000_000.0
VALIDATOR = os.environ.get("GOSSAMER_WACZ", "")
"""The `wacz` command of py-wacz, which has an environment of its own."""


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("crawl") / "my crawl"
    with serve(Web(seed=5, pages=60, hosts=4, behaviours=("redirects", "errors"))) as served:
        crawl(served, out, warc_size=60_000)
    return out


@pytest.fixture
def package(crawled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ZipFile]:
    monkeypatch.setattr(zipnum, "_LINES", 25)
    file = tmp_path / "crawl.wacz"
    assert write_wacz(StoredCrawl(crawled), file, now=NOW) > 1
    with ZipFile(file) as package:
        yield package


def test_all_is_listed_with_its_hash(package: ZipFile) -> None:
    listed = json.loads(package.read("datapackage.json"))
    assert listed["profile"] == "data-package"
    assert (listed["wacz_version"], listed["title"]) == ("1.1.1", "my crawl")
    assert listed["created"] == "2027-01-15T08:00:00Z"
    resources = {one["path"]: one for one in listed["resources"]}
    beside = {"datapackage.json", "datapackage-digest.json"}
    assert set(resources) == set(package.namelist()) - beside
    for path, one in resources.items():
        data = package.read(path)
        assert one["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
        assert one["bytes"] == len(data)
        assert one["name"] == path.rpartition("/")[2].lower(), "data packages have no capitals"
    digest = json.loads(package.read("datapackage-digest.json"))
    assert digest["hash"] == f"sha256:{hashlib.sha256(package.read(digest['path'])).hexdigest()}"


def test_the_archive_is_that_of_the_crawl_and_is_not_compressed_again(
    package: ZipFile, crawled: Path
) -> None:
    for warc in (crawled / "warc").glob("*.warc.gz"):
        entry = package.getinfo(f"archive/{warc.name}")
        assert entry.compress_type == ZIP_STORED
        assert package.read(entry) == warc.read_bytes()
    assert package.getinfo("indexes/index.cdx.gz").compress_type == ZIP_STORED


def test_each_line_of_the_index_leads_to_its_record(package: ZipFile, crawled: Path) -> None:
    blocks, listed = package.read("indexes/index.cdx.gz"), package.read("indexes/index.idx")
    head, *places = listed.decode().splitlines()
    assert json.loads(head.removeprefix("!meta 0 "))["format"] == "cdxj-gzip-1.0"
    assert len(places) > 2
    lines: list[str] = []
    for line in places:
        key, _, about = line.partition(" {")
        place = json.loads("{" + about)
        block = blocks[place["offset"] : place["offset"] + place["length"]]
        assert place["digest"] == f"sha256:{hashlib.sha256(block).hexdigest()}"
        lines += gzip.decompress(block).decode().splitlines()
        assert lines[-len(gzip.decompress(block).splitlines())].startswith(key)
    assert "\n".join(lines) + "\n" == (crawled / "warc" / "index.cdxj").read_text()
    for line in lines:
        about = json.loads(line.split(" ", 2)[2])
        archive = package.read(f"archive/{about['filename']}")
        start = int(about["offset"])
        member = BytesIO(archive[start : start + int(about["length"])])
        record = next(iter(ArchiveIterator(member)))
        assert record.rec_headers.get_header("WARC-Target-URI") == about["url"]


def test_pages_are_listed_with_their_titles(package: ZipFile, crawled: Path) -> None:
    seeds, others = (
        [*map(json.loads, package.read(f"pages/{name}.jsonl").splitlines())]
        for name in ("pages", "extraPages")
    )
    assert seeds[0]["format"] == others[0]["format"] == "json-pages-1.0"
    main = json.loads(package.read("datapackage.json"))
    assert [(one["url"], one["ts"]) for one in seeds[1:]] == [
        (main["mainPageUrl"], main["mainPageDate"])
    ]
    shown = {one["url"]: one["title"] for one in seeds[1:] + others[1:]}
    rows = StoredCrawl(crawled).pages.to_table(columns=["url", "title", "status"]).to_pylist()
    assert shown == {row["url"]: row["title"] for row in rows if row["status"] == 200}
    ids = [one["id"] for one in seeds[1:] + others[1:]]
    assert len(set(ids)) == len(ids)


def test_two_of_the_same_crawl_are_the_same(crawled: Path, tmp_path: Path) -> None:
    files = [tmp_path / "one.wacz", tmp_path / "two.wacz"]
    for file in files:
        write_wacz(StoredCrawl(crawled), file, "A title", NOW)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_crawl_that_was_killed_is_refused(tmp_path: Path) -> None:
    out, file = tmp_path / "out", tmp_path / "crawl.wacz"
    with serve(Web(seed=5, pages=60, hosts=4)) as served, death_after(20, Random(1)):
        ended = command(
            *("crawl", served.seed_url, "-o", str(out), "--scope", "all", "--quiet"),
            *("--dns", served.dns_address, "--allow-private", "--delay", "0", "--partitions", "1"),
        )
    assert ended.status == -signal.SIGKILL
    ended = command("export", str(out), str(file))
    assert ended.status == 1
    [line] = ended.complaints
    assert "was killed" in line
    assert f"gossamer resume {out}" in line
    assert not file.exists()


def test_the_command(crawled: Path, tmp_path: Path) -> None:
    file = tmp_path / "crawl.wacz"
    ended = command("export", str(crawled), str(file), "--title", "Mine")
    assert ended.status == 0, ended.err
    assert f"{file.stat().st_size:,} bytes" in ended.out
    with ZipFile(file) as package:
        assert json.loads(package.read("datapackage.json"))["title"] == "Mine"


@pytest.mark.skipif(
    not VALIDATOR, reason=needs("wacz", "GOSSAMER_WACZ does not name the command of py-wacz")
)
def test_py_wacz_finds_nothing_wrong(crawled: Path, tmp_path: Path) -> None:
    file = tmp_path / "crawl.wacz"
    write_wacz(StoredCrawl(crawled), file)
    done = subprocess.run(
        [VALIDATOR, "validate", "-f", str(file)], capture_output=True, text=True, check=False
    )
    print(done.stdout, done.stderr)
    assert done.returncode == 0
