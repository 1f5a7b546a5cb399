"""gitweb, the browser that comes with git: one script, and everything in its query."""

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.applications import git_history
from benchmarks.applications.application import Application, Origin, Reply
from benchmarks.applications.origin import without_nofollow
from benchmarks.applications.web_server import NEEDS, lighttpd

_FOLDER = Path("/usr/share/gitweb")
_LINE = re.compile(r'<div class="pre"><a id="l\d+"[^>]*>[^<]*</a>(.*?)</div>', re.DOTALL)
_COMMIT = re.compile(r'<td>commit</td><td class="sha1">([0-9a-f]{40})')
_SHA = re.compile(r"[0-9a-f]{40}")
_LEADING = {"", "summary", "log", "shortlog", "tree", "heads", "tags", "blob", "commit"}


class GitWeb(Application):
    """Content: as of cgit, each commit (with or without its changes), and each file as it is on a branch."""

    name = "gitweb"
    packages = "gitweb git lighttpd"
    needs = (*NEEDS, *git_history.NEEDS, f"{_FOLDER}/gitweb.cgi")
    is_set_aside = True
    _tips: frozenset[str] = frozenset()

    def fill(self, root: Path, pages: int, seed: int) -> list[str]:
        items = git_history.make_repositories(root / "repositories", pages, seed)
        (root / "gitweb.conf").write_text(
            f'$projectroot = "{root}/repositories"; $site_name = "Git";\n'
        )
        return items

    @contextmanager
    def served(self, root: Path) -> Iterator[Origin]:
        """Each page says nofollow, which nobody can switch off; hosts that want to be found take it out."""
        self._tips = git_history.tips(root / "repositories")
        with lighttpd(_FOLDER, "gitweb.test", _CONFIG.format(root=root)) as origin:
            yield without_nofollow(origin)

    def item_of(self, target: str, reply: Reply) -> str | None:
        said = _query(target)
        if said.get("a") == "blob_plain":
            return f"blob:{git_history.blob_of(reply.body)}"
        if said.get("a") == "blob":
            return f"blob:{said['h'] if _is_sha(said) else _shown(reply.body.decode())}"
        if said.get("a") in ("commit", "commitdiff", "patch") and "hp" not in said:
            found = _COMMIT.search(reply.body.decode(errors="replace"))
            commit = found[1] if found else said.get("h", "") if _is_sha(said) else ""
            return f"commit:{commit}" if commit else None
        return None

    def is_useful(self, target: str) -> bool:
        """Logs from the latest commit on, and files as they are on a branch; all else is the same again."""
        said = _query(target)
        view, state = said.get("a", ""), said.get("hb", "")
        if view in ("log", "shortlog") and _is_sha(said):
            return False
        is_old = _SHA.fullmatch(state) is not None and state not in self._tips
        return view in _LEADING and not is_old


def _query(target: str) -> dict[str, str]:
    pairs = re.split("[;&]", target.partition("?")[2])
    return {name: value for name, _, value in (pair.partition("=") for pair in pairs) if name}


def _is_sha(said: dict[str, str]) -> bool:
    return _SHA.fullmatch(said.get("h", "")) is not None


def _shown(page: str) -> str:
    """The number of the content whose lines stand on a page."""
    lines = (re.sub(r"<[^>]*>", "", line) for line in _LINE.findall(page))
    text = "".join(html.unescape(line).replace("\xa0", " ").strip() + "\n" for line in lines)
    return git_history.blob_of(text.encode())


_CONFIG = r"""
cgi.assign = ("gitweb.cgi" => "")
setenv.set-environment = ("GITWEB_CONFIG" => "{root}/gitweb.conf", "PATH" => env.PATH)
url.rewrite-once = ("^/(\?.*)?$" => "/gitweb.cgi$1")
"""
