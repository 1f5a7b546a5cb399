"""What commands say of files that are missing, cut or changed; wrong answers and tracebacks before."""

import json
import os
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gossamer.core.crawl_identity import identity_of
from gossamer.core.disk.disk_manifest import MANIFEST
from tests.copying import copy_crawl
from tests.engine.engine_forks import Ended, command
from tests.engine.static import serve_static
from tests.manifests import forget_manifests


def _page(number: int) -> tuple[str, bytes]:
    links = "".join(f'<a href="/{other}">page {other}</a> ' for other in range(12))
    words = random.Random(number).sample(
        ["apple", "bread", "cheese", "dates", "eggs", "figs", "grapes", "honey"], 5
    )
    text = f"<title>Page {number}</title><p>cheese {' '.join(words)} {links}"
    return "text/html", text.encode()


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    out = tmp_path_factory.mktemp("commands") / "out"
    with serve_static({f"/{n}": _page(n) for n in range(12)} | {"/": _page(99)}) as served:
        url = f"{served.origin}/"
        steps = (
            ("crawl", url, "-o", str(out), "-q", "--delay", "0", "--allow-private"),
            ("text", str(out), "-q", "--workers", "1"),
            ("index", str(out), "-q", "--workers", "1"),
        )
        for step in steps:
            done = command(*step)
            assert done.status == 0, done.err
    yield out, url
    shutil.rmtree(out)


@pytest.fixture
def copy(crawl: tuple[Path, str], tmp_path: Path) -> tuple[Path, str]:
    return copy_crawl(crawl[0], tmp_path / "out"), crawl[1]


def told(ended: Ended, *words: str) -> None:
    assert ended.status == 1, ended.out + ended.err
    assert len(ended.complaints) == 1, ended.err
    assert "Traceback" not in ended.err
    for word in words:
        assert word in ended.err


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(data)


def halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def one(out: Path, pattern: str) -> Path:
    return max(out.glob(pattern), key=lambda path: path.stat().st_size)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "missing": Path.unlink,
    "flipped": flip,
    "cut": halve,
}
READERS = {
    "links": ("links", "links/*.parquet", ("links", "OUT", "out", "URL")),
    "explain by links": (
        "links",
        "links/*.parquet",
        ("explain", "URL", "--crawl", "OUT", "--offline"),
    ),
    "explain by pages": (
        "pages",
        "pages/*.parquet",
        ("explain", "URL", "--crawl", "OUT", "--offline"),
    ),
    "duplicates": ("pages", "pages/*.parquet", ("duplicates", "OUT")),
    "report": ("links", "links/*.parquet", ("report", "OUT", "--json")),
    "report by the archive": ("warc", "warc/*.warc.gz", ("report", "OUT", "--json")),
    "jsonl": ("pages", "pages/*.parquet", ("export", "OUT", "FILE.jsonl")),
    "wacz": ("warc", "warc/*.warc.gz", ("export", "OUT", "FILE.wacz")),
    "wacz by its index": ("warc", "warc/index.cdxj", ("export", "OUT", "FILE.wacz")),
    "mirror": ("warc", "warc/*.warc.gz", ("export", "OUT", "FILE", "--format", "mirror")),
    "text": ("text", "text/*.parquet", ("text", "OUT", "-q")),
    "index": ("text", "text/*.parquet", ("index", "OUT", "-q")),
    "search": ("index", "index/00000/*.store", ("search", "OUT", "cheese")),
    "search by terms": ("index", "index/00000/*.term", ("search", "OUT", "cheese")),
    "search by the manifest": ("index", "index/manifest.json", ("search", "OUT", "cheese")),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", READERS)
def test_a_damage_is_one_line_and_a_status(
    copy: tuple[Path, str], tmp_path: Path, name: str, damage: str
) -> None:
    out, url = copy
    folder, pattern, words = READERS[name]
    DAMAGES[damage](one(out, pattern))
    names = {"OUT": str(out), "URL": url, "FILE": "", "cheese": "cheese"}
    ended = command(
        *(
            names.get(word, word.replace("FILE", str(tmp_path / "file"))) or str(tmp_path / "file")
            for word in words
        )
    )
    told(ended, str(out))
    assert not (tmp_path / "file.wacz").exists(), "no half of a package is left"
    found = command("verify", str(out))
    assert found.status == 1, "verify sees it, too"
    bad = [line for line in found.out.splitlines() if line.startswith("BAD")]
    assert any(f"  {folder}" in line for line in bad), found.out


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "URL", "--crawl", "OUT", "--offline"),
        ("links", "OUT", "out", "URL"),
        ("duplicates", "OUT"),
        ("search", "OUT", "cheese"),
        ("export", "OUT", "FILE.jsonl"),
        ("report", "OUT", "--json"),
    ],
)
@pytest.mark.parametrize("share", [0.0, 0.9])
def test_settings_that_were_cut_short_are_not_those_by_default(
    copy: tuple[Path, str], tmp_path: Path, words: tuple[str, ...], share: float
) -> None:
    """Scope and spelling rules of another crawl were shown, with status 0."""
    out, url = copy
    text = (out / "crawl.toml").read_text().splitlines(keepends=True)
    (out / "crawl.toml").write_text("".join(text[: int(share * len(text))]))
    names = {"OUT": str(out), "URL": url, "FILE.jsonl": str(tmp_path / "file.jsonl")}
    told(command(*(names.get(word, word) for word in words)), str(out / "crawl.toml"), "last line")


def test_verify_says_of_an_older_crawl_that_nothing_is_known_of_its_bytes(
    copy: tuple[Path, str],
) -> None:
    """What was recorded of the manifest is missed; what has none of its own is told apart."""
    out, url = copy
    forget_manifests(out)
    assert command("links", str(out), "out", url).status == 0, "it is read as ever"
    found = command("verify", str(out))
    assert found.status == 1
    assert "_files.jsonl is missing" in found.out


def test_what_a_killed_build_of_texts_left_is_taken_up(copy: tuple[Path, str]) -> None:
    """A file that was made and not named is named by the next run; until then it is no damage."""
    out, _ = copy
    manifest = out / "text" / MANIFEST
    named = json.dumps({"crawl": identity_of(out)})
    manifest.write_text(f'{named}\n{{"open":true}}\n')
    found = command("verify", str(out))
    assert (found.status, "text manifest: open" in found.out) == (0, True), found.out
    assert command("text", str(out), "-q").status == 0
    assert "00000-00000.parquet" in manifest.read_text()
    assert "open" not in command("verify", str(out)).out


def test_a_stranger_among_texts_is_told(copy: tuple[Path, str]) -> None:
    out, _ = copy
    shutil.copy(out / "text" / "00000-00000.parquet", out / "text" / "00000-00009.parquet")
    told(command("index", str(out), "-q"), "is not listed in the manifest")


def test_verify_without_room_for_a_copy_is_a_problem(
    copy: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It said that 0 MB are too much to copy, and then that all is in order."""
    usage = shutil.disk_usage(copy[0])
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    found = command("verify", str(copy[0]))
    assert found.status == 1
    assert "all in order" not in found.out
    assert "free some and verify again" in found.out


def test_verify_looks_into_a_copy_elsewhere_when_the_disk_is_full(
    copy: tuple[Path, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    usage, real = shutil.disk_usage(copy[0]), shutil.disk_usage
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(
        shutil,
        "disk_usage",
        lambda path: real(path) if Path(path) == tmp_path else usage._replace(free=1000),
    )
    found = command("verify", str(copy[0]))
    assert (found.status, found.out.splitlines()[-1]) == (0, "all in order"), found.out
    assert [one.name for one in tmp_path.iterdir()] == ["out"], "the copy is gone"
