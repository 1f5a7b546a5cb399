"""Logins, cookies and passwords: where they are, who may read it, and where they never come."""

import gzip
import logging
import os
from base64 import b64encode
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from pyarrow import parquet

import gossamer
from gossamer.cli import run
from gossamer.cluster.storage import RemoteStorageError
from gossamer.cluster.storage.object_storage import open_storage
from gossamer.core import settings_file
from gossamer.core.crawl_identity import identity_of, with_last_line
from gossamer.core.directory import Directory
from gossamer.core.errors import DirectoryError
from gossamer.core.secret_settings import SECRETS
from tests.engine.static import StaticSite, serve_static

WORD, COOKIE, SEED = "open-sesame-1", "sid-quite-secret-2", "seed-word-3"
CONTENT = {
    "/": ("text/html", b"<title>x</title><p>something to read</p><a href=/a>a</a>"),
    "/a": ("text/html", b"<title>y</title><p>more of it</p><a href=//me:own-word@host.test/>b</a>"),
}


def crawl(site: StaticSite, out: Path, **knobs: Any) -> gossamer.Crawl:
    host = site.origin.partition("://")[2].partition(":")[0]
    seed = site.origin.replace("://", f"://me:{SEED}@") + "/"
    secrets = {"logins": {host: f"me:{WORD}"}, "cookies": {host: f"sid={COOKIE}"}}
    options = {"delay": 0, "allow_private": True, "log_level": "debug", **secrets, **knobs}
    return gossamer.Crawl(seed, out=out, **options)


def holding(folder: Path, *words: str) -> set[str]:
    """The files below a folder that hold one of these words."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {
        path.relative_to(folder).as_posix()
        for path in files
        if any(word.encode() in unpacked(path) for word in words)
    }


def unpacked(path: Path) -> bytes:
    """What is in a file, whatever it is packed by."""
    if path.suffix == ".parquet":
        return repr(parquet.read_table(path).to_pylist()).encode()
    if path.suffix == ".wacz":
        with ZipFile(path) as whole:
            parts = [(name, whole.read(name)) for name in whole.namelist()]
        return b"".join(
            gzip.decompress(data) if name.endswith(".gz") else data for name, data in parts
        )
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_secrets_are_in_a_file_of_their_own_and_nowhere_else(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Neither settings, state, log, remote storage and exports have them, nor what is printed."""
    out, storage = tmp_path / "out", tmp_path / "storage"
    caplog.set_level(logging.DEBUG, "gossamer")
    with serve_static(CONTENT) as site:
        crawl(site, out, storage=storage.as_uri(), partitions=1).run()
    for command in (
        *(["text", str(out), "--workers", "1"], ["report", str(out)], ["verify", str(out)]),
        *(["export", str(out), str(tmp_path / "a.wacz")], ["status", str(out), "--json"]),
        *(["log", str(out)], ["download", storage.as_uri(), "-o", str(tmp_path / "copy")]),
    ):
        assert run(command) == 0
    token = b64encode(f"me:{WORD}".encode()).decode()
    words = (WORD, COOKIE, SEED, token)
    assert holding(tmp_path, *words) == {f"out/{SECRETS}"}
    assert mode(out / SECRETS) == 0o600
    assert 'secrets = "secrets.toml"' in (out / "crawl.toml").read_text()
    said = caplog.text + "".join(capfd.readouterr())
    assert not [word for word in words if word in said]
    assert "user and password of a seed are left out" in caplog.text


def test_a_crawl_goes_on_with_its_secrets(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve_static(CONTENT) as site:
        crawl(site, out, max_pages=1).run()
        before = (out / SECRETS).read_bytes()
        job = gossamer.Crawl.resume(out, max_pages=0)
        job.run()
    settings = Directory(out).look()
    assert [*settings.fetch.logins.values()] == [f"me:{WORD}"]
    assert (out / SECRETS).read_bytes() == before
    assert settings_file.read(out / "crawl.toml") == settings


def test_who_brings_a_crawl_elsewhere_gives_its_secrets_again(tmp_path: Path) -> None:
    out, storage, copy = tmp_path / "out", (tmp_path / "storage").as_uri(), tmp_path / "copy"
    with serve_static(CONTENT) as site:
        crawl(site, out, max_pages=1, storage=storage).run()
        assert run(["download", storage, "-o", str(copy)]) == 0
        with pytest.raises(DirectoryError, match=r"give the file with --set fetch\.secrets=FILE"):
            gossamer.Crawl.resume(copy)
        job = gossamer.Crawl.resume(copy, secrets=str(out / SECRETS), max_pages=0)
        assert job.run().stopped_by == "finished"
    assert (copy / SECRETS).read_bytes() == (out / SECRETS).read_bytes()
    assert mode(copy / SECRETS) == 0o600


def test_who_wants_no_secrets_any_more_goes_on_without(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve_static(CONTENT) as site:
        crawl(site, out, max_pages=1).run()
        (out / SECRETS).unlink()
        gossamer.Crawl.resume(out, secrets="", max_pages=0).run()
    assert not Directory(out).lacks_secrets
    assert Directory(out).look().fetch.logins == {}


def test_secrets_of_an_earlier_version_are_moved_and_their_modes_mended(tmp_path: Path) -> None:
    """It had them in `crawl.toml`, and its copies could be read by everybody."""
    out = tmp_path / "out"
    with serve_static(CONTENT) as site:
        crawl(site, out, max_pages=1).run()
        settings = Directory(out).look()
        text = settings_file.write(settings).replace('secrets = "secrets.toml"', 'secrets = ""')
        (out / "crawl.toml").write_bytes(with_last_line(text, identity_of(out)))
        (out / SECRETS).unlink()
        os.chmod(out / "crawl.toml", 0o644)
        Directory(out).look()
        assert mode(out / "crawl.toml") == 0o600
        gossamer.Crawl.resume(out, max_pages=0).run()
    assert holding(out, WORD, COOKIE) == {SECRETS}
    assert Directory(out).look().fetch.logins == settings.fetch.logins
    assert mode(out / SECRETS) == 0o600


def test_settings_stay_as_private_as_they_were_made(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve_static(CONTENT) as site:
        crawl(site, out, max_pages=1).run()
        os.chmod(out / "crawl.toml", 0o600)
        gossamer.Crawl.resume(out, max_pages=0, delay=0.001).run()
    assert mode(out / "crawl.toml") == 0o600


def test_remote_storage_is_not_named_with_a_password() -> None:
    with pytest.raises(RemoteStorageError, match="contains a password") as error:
        open_storage("ftp://me:word@host.test/crawl")
    assert "word@" not in str(error.value)


def test_a_file_that_is_sent_is_as_private_there(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_text("x")
    os.chmod(source, 0o600)
    open_storage((tmp_path / "storage").as_uri()).put_file("it", source)
    assert mode(tmp_path / "storage" / "it") == 0o600
