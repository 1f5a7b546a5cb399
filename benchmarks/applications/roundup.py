"""Roundup, a tracker: lists in any order and grouping with exports, a page for each message and file."""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

from benchmarks.applications.application import Application, Origin, Reply
from benchmarks.applications.origin import behind_socket
from benchmarks.applications.texts import texts
from benchmarks.applications.web_server import await_socket, ended

_SETTINGS = {"web": "http://roundup.test/", "domain": "example.org", "host": "localhost"}
_SITE = Path(__file__).with_name("roundup_site.py")
_SHOWN = re.compile(r"/issue(\d+)$")
_FILE = re.compile(r"/file(\d+)/[^/?]+$")
_USEFUL = re.compile(r"/(issue(\d+|\?(?!@template|@action).*)?|file\d+(/[^?]*)?)?$")


class Roundup(Application):
    """Content: each issue with its messages, and each attached file.

    Pages for single messages say what their issue says; lists and exports are made from the issues.
    """

    name = "roundup"
    packages = "roundup"
    installer = "pip install"
    needs = ("roundup-admin",)

    def fill(self, root: Path, pages: int, seed: int) -> list[str]:
        site = root / "site"
        _told("roundup-admin", "-i", str(site), "install", "classic", "sqlite")
        settings = site / "config.ini"
        lines = settings.read_text()
        for name, value in _SETTINGS.items():
            lines = lines.replace(f"#{name} = NO DEFAULT", f"{name} = {value}", 1)
        settings.write_text(lines)
        _told("roundup-admin", "-i", str(site), "initialise", "admin")
        given = json.dumps({"seed": seed, "texts": texts(pages, seed)})
        _told(*_python(), str(_SITE), "fill", str(site), text=given)
        found: list[str] = json.loads((site / "items.json").read_text())
        return found

    @contextmanager
    def served(self, root: Path) -> Iterator[Origin]:
        with tempfile.TemporaryDirectory(prefix="app") as work:
            socket = Path(work, "web")
            command = [*_python(), str(_SITE), "serve", str(root / "site"), str(socket)]
            quiet = subprocess.DEVNULL
            with ended(subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)):
                await_socket(socket)
                yield behind_socket(socket, "roundup.test")

    def item_of(self, target: str, reply: Reply) -> str | None:
        path = unquote(target)
        if found := _SHOWN.match(path):
            return f"issue:{found[1]}"
        found = _FILE.match(path)
        return f"file:{found[1]}" if found else None

    def is_useful(self, target: str) -> bool:
        return bool(_USEFUL.match(target))


def _told(*words: str, text: str = "") -> None:
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(
            f"Roundup could not be filled: {done.stdout[-500:]}{done.stderr[-1500:]}"
        )


def _python() -> list[str]:
    """The Python that has Roundup, which stands in the first line of its command; without our folders."""
    with open(shutil.which("roundup-admin") or "roundup-admin", encoding="utf-8") as program:
        return [program.readline().removeprefix("#!").strip(), "-I"]
