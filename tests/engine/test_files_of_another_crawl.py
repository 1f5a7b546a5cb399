"""A file or a folder of another crawl is refused in one line, by `verify` and by those that read it."""

import shutil
from pathlib import Path

import pytest

from tests.copying import copy_crawl
from tests.engine.engine_forks import Ended, command
from tests.engine.static import serve_static

_PAGES = {
    "/": ("text/html", b"<title>All</title><p>bread and cheese <a href=/a>a</a> <a href=/b>b</a>"),
    "/a": ("text/html", b"<title>A</title><p>one half of the cheese <a href=/>all</a>"),
    "/b": ("text/html", b"<title>B</title><p>the other half of it <a href=/a>a</a>"),
}


@pytest.fixture(scope="module")
def crawls(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, str]:
    """Two crawls of the same pages, and where they began."""
    folder = tmp_path_factory.mktemp("two")
    with serve_static(_PAGES) as served:
        url = f"{served.origin}/"
        for name in ("own", "other"):
            out = str(folder / name)
            for step in (
                ("crawl", url, "-o", out, "-q", "--delay", "0", "--allow-private"),
                ("control", out, "block", "elsewhere.test"),
                ("text", out, "-q", "--workers", "1"),
                ("index", out, "-q", "--workers", "1"),
                ("graph", "build", out, "-q"),
                ("graph", "rank", out, "-q"),
            ):
                done = command(*step)
                assert done.status == 0, f"{step}: {done.err}"
    return folder / "own", folder / "other", url


@pytest.fixture
def copy(crawls: tuple[Path, Path, str], tmp_path: Path) -> Path:
    return copy_crawl(crawls[0], tmp_path / "out")


def replace(copy: Path, other: Path, name: str) -> None:
    """Put a file or a folder of the other crawl in the place of the copy's own."""
    target = copy / name
    if target.is_dir():
        shutil.rmtree(target)
        shutil.copytree(other / name, target)
    else:
        shutil.copy(other / name, target)


def check_told(ended: Ended, words: str) -> None:
    assert (ended.status, len(ended.complaints)) == (1, 1), (
        f"{ended.status} {ended.err} {ended.out}"
    )
    assert words in ended.err, ended.err


_EXPLAIN = ("explain", "URL", "--crawl", "OUT", "--offline")


@pytest.mark.parametrize(
    ("name", "stranger", "readers"),
    [
        ("state/status.json", "status.json", [("status", "OUT")]),
        ("crawl.toml", "crawl.toml", [("status", "OUT"), _EXPLAIN, ("resume", "OUT", "-q")]),
        ("state/control", "journal-000000.log", [("control", "OUT", "state"), ("resume", "OUT")]),
        ("state/00000", "", [("report", "OUT"), ("resume", "OUT", "-q")]),
        ("text", "text/_files.jsonl", [("index", "OUT", "-q", "--rebuild")]),
        ("index", "index/manifest.json", [("search", "OUT", "cheese")]),
        (
            "graph",
            "graph/manifest.json",
            [("graph", "stats", "OUT"), ("links", "OUT", "in", "URL")],
        ),
    ],
)
def test_it_is_refused_in_one_line(
    crawls: tuple[Path, Path, str],
    copy: Path,
    name: str,
    stranger: str,
    readers: list[tuple[str, ...]],
) -> None:
    """They were read as they were, with status 0."""
    replace(copy, crawls[1], name)
    words = f"{stranger} belongs to another crawl"
    found = command("verify", str(copy))
    assert found.status == 1, found.out
    assert words in found.out + found.err
    for reader in readers:
        names = {"OUT": str(copy), "URL": crawls[2]}
        check_told(command(*(names.get(word, word) for word in reader)), words)


def test_commands_of_another_crawl_are_refused_beside_the_own_watermark(
    crawls: tuple[Path, Path, str], copy: Path
) -> None:
    """The journal was as long as its watermark says, and so it was taken."""
    replace(copy, crawls[1], "state/control/journal-000000.log")
    check_told(command("control", str(copy), "state"), "journal-000000.log")
    assert command("verify", str(copy)).status == 1


@pytest.mark.parametrize(
    "name", ["state/control/end", "warc/_files.jsonl", "graph/_files.jsonl", "index/_files.jsonl"]
)
def test_verify_misses_what_is_written_beside_a_file(copy: Path, name: str) -> None:
    """It took them for what an earlier version had not written."""
    (copy / name).unlink()
    found = command("verify", str(copy))
    assert (found.status, name in found.out) == (1, True), found.out


def test_verify_says_what_is_no_damage_and_not_as_it_was_written(copy: Path) -> None:
    settings = copy / "crawl.toml"
    settings.write_text(settings.read_text().replace("log_files = 5", "log_files = 6"))
    (copy / "state" / "status.json").unlink()
    found = command("verify", str(copy))
    assert (found.status, found.err) == (0, "")
    assert "crawl.toml: changed since Gossamer wrote it" in found.out
    assert "status: none" in found.out


@pytest.mark.parametrize("place", [40, 2000, 4100])
def test_verify_sees_a_watermark_that_is_damaged_in_one_place(copy: Path, place: int) -> None:
    for folder in ("control", "00000/journal"):
        path = copy / "state" / folder / "end"
        data = bytearray(path.read_bytes())
        data[min(place, len(data) - 1)] ^= 1
        path.write_bytes(data)
    found = command("verify", str(copy))
    assert found.status == 1
    assert "again" in found.out
