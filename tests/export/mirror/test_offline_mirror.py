"""Mirrors of crawls: browsed from files, link by link."""

import posixpath
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

import gossamer
from tests.engine.engine_forks import command
from tests.engine.static import serve_static

HTML = "text/html; charset=utf-8"
PAGES = {
    "/": (
        HTML,
        b"<title>Home <b></title><link rel=stylesheet href=/s.css><a href=/a>a</a> <a href=/a/b?x=1>b</a>"
        b"<a href=/moved>m</a><a href=/missing>n</a><a href='/%2e%2e/%2e%2e/up'>u</a>"
        b"<img src=/i.png><a href=/A>c</a>",
    ),
    "/a": (HTML, "<p>grüße <a href='/'>home</a>".encode()),
    "/A": (HTML, b"<p>the other one"),
    "/a/b?x=1": (
        "text/html; charset=iso-8859-1",
        "<p>gr\u00fc\u00dfe <a href='../a#f'>a</a>".encode("latin-1"),
    ),
    "/up": (HTML, b"<p>up"),
    "/s.css": ("text/css", b"p { background: url(i.png) }"),
    "/i.png": ("image/png", b"\x89PNG\r\n\x1a\n"),
    "/target": (HTML, b"<p>target"),
}


@pytest.fixture(scope="module")
def mirrored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mirror")
    with serve_static(PAGES, {"/moved": "/target"}) as site:
        gossamer.Crawl(
            f"{site.origin}/", out=folder / "c", delay=0, allow_private=True, page_requisites=True
        ).run()
    ended = command("export", str(folder / "c"), str(folder / "m"), "--format", "mirror")
    assert ended.status == 0, ended.err
    assert "begin with" in ended.out
    return folder / "m"


def files_in(folder: Path) -> dict[str, Path]:
    return {
        path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()
    }


def test_every_page_and_what_pages_need_is_there(mirrored: Path) -> None:
    names = sorted(name.partition("/")[2] or name for name in files_in(mirrored))
    named = [name for name in names if not name.startswith("_/")]
    assert {"index.html", "a.html", "a/b~x_1.html", "i.png", "s.css", "target.html", "up.html"} >= {
        *named
    } - {"A.html"}
    assert len(names) == len(PAGES) + 1


def test_links_lead_to_files_that_are_there(mirrored: Path) -> None:
    files = files_in(mirrored)
    count = 0
    for name, path in files.items():
        for href in re.findall(
            r"""(?:href|src)="([^"]*)"|url\\("([^"]*)"\\)""", path.read_text("utf-8", "replace")
        ):
            target = "".join(href)
            if target.startswith("http:"):
                assert target.endswith("/missing")
                continue
            there = posixpath.normpath(
                posixpath.join(posixpath.dirname(name), unquote(target.partition("#")[0]))
            )
            assert there in files, (name, target)
            count += 1
    assert count > 12


def test_pages_are_written_in_utf_8(mirrored: Path) -> None:
    texts = [
        path.read_bytes()
        for name, path in files_in(mirrored).items()
        if name.endswith("b~x_1.html")
    ]
    assert b'<meta charset="utf-8">' in texts[0]
    assert "grüße".encode() in texts[0]


def test_the_first_page_escapes_titles(mirrored: Path) -> None:
    assert "Home &lt;b&gt;" in (mirrored / "index.html").read_text()


def test_a_folder_that_is_not_empty_is_left_alone(mirrored: Path) -> None:
    crawl = mirrored.parent / "c"
    ended = command("export", str(crawl), str(mirrored), "--format", "mirror")
    assert "is not empty; choose another folder" in ended.err
    assert not [*mirrored.parent.glob(".*.tmp")]
