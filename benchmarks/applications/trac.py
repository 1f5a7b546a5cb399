"""Trac: a wiki, tickets and a browser for repositories, each page in several forms."""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

from benchmarks.applications import git_history
from benchmarks.applications.application import Application, Origin, Reply
from benchmarks.applications.origin import behind_socket
from benchmarks.applications.texts import texts
from benchmarks.applications.web_server import await_socket, ended

_SITE = Path(__file__).with_name("trac_site.py")
_SHOWN = re.compile(r"/(wiki|ticket)/([^?]+)$")
_FILE = re.compile(r"/(?:raw-)?attachment/(?:wiki|ticket)/[^?/]+/([^?/]+)$")
_COMMIT = re.compile(r"/changeset/([0-9a-f]{40})/\w+$")
_USEFUL = re.compile(
    r"/(wiki(/[^?]*)?|ticket/\d+|report(/\d+(\?page=\d+)?)?|query(\?[^?]*)?|roadmap|milestone/\w+|timeline"
    r"|attachment/[^?]*|raw-attachment/[^?]*|log/\w+(\?rev=\w+)?|browser(/\w+)?|changeset/\w+/\w+)?$"
)
_COMMITS = 60
"""Texts of the repositories; they are a small part of the site."""


class Trac(Application):
    """Content: wiki pages, tickets and attached files as they are, and commits.

    Other formats, histories, differences, annotations and queries in any order are made from these.
    """

    name = "trac"
    packages = "Trac setuptools"
    installer = "pip install"
    needs = ("tracd", *git_history.NEEDS)

    def fill(self, root: Path, pages: int, seed: int) -> list[str]:
        commits = git_history.make_repositories(root / "repositories", _COMMITS, seed)
        given = {
            "seed": seed,
            "texts": texts(pages, seed),
            "repositories": [str(path) for path in sorted((root / "repositories").iterdir())],
        }
        told = subprocess.run(
            [*_python(), str(_SITE), "fill", str(root / "site")],
            input=json.dumps(given),
            capture_output=True,
            text=True,
            check=False,
        )
        if told.returncode:
            raise RuntimeError(f"Trac could not be filled: {told.stderr[-2000:]}")
        found: list[str] = json.loads((root / "site/items.json").read_text())
        return found + [one for one in commits if one.startswith("commit:")]

    @contextmanager
    def served(self, root: Path) -> Iterator[Origin]:
        with tempfile.TemporaryDirectory(prefix="app") as work:
            socket = Path(work, "web")
            command = [*_python(), str(_SITE), "serve", str(root / "site"), str(socket)]
            quiet = subprocess.DEVNULL
            with ended(subprocess.Popen(command, stdout=quiet, stderr=quiet)):
                await_socket(socket)
                yield behind_socket(socket, "trac.test")

    def item_of(self, target: str, reply: Reply) -> str | None:
        path = unquote(target)
        if target == "/":
            return "wiki:WikiStart"
        if found := _SHOWN.match(path):
            return f"{found[1]}:{found[2]}"
        if found := _FILE.match(path):
            return f"attachment:{found[1]}"
        found = _COMMIT.match(path)
        return f"commit:{found[1]}" if found else None

    def is_useful(self, target: str) -> bool:
        return bool(_USEFUL.match(target))


def _python() -> list[str]:
    """The Python that has Trac, which stands in the first line of its server; without our folders."""
    with open(shutil.which("tracd") or "tracd", encoding="utf-8") as program:
        return [program.readline().removeprefix("#!").strip(), "-I"]
