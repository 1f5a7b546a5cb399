"""cgit, a browser for git repositories."""

import re
from contextlib import AbstractContextManager
from pathlib import Path

from benchmarks.applications import git_history
from benchmarks.applications.application import Application, Origin, Reply
from benchmarks.applications.web_server import NEEDS, lighttpd

_PROGRAM = Path("/usr/lib/cgit/cgit.cgi")
_STATIC = Path("/usr/share/cgit")
_BLOB = re.compile(rb"blob: ([0-9a-f]{40})")
_COMMIT = re.compile(rb"<th>commit</th><td[^>]*><a href='[^']*'>([0-9a-f]{40})</a>")
_PATCH = re.compile(rb"From ([0-9a-f]{40}) ")
_USEFUL = re.compile(
    r"/([\w-]+/)?$|/[\w-]+/((log|refs)/(\?ofs=\d+)?|(tree|plain)/[^?]*|commit/(\?id=\w+)?)$"
    r"|/[\w-]+/(log|tree|plain|commit)/[^?]*\?h=\w+(&ofs=\d+)?$"
)


class Cgit(Application):
    """Content: each commit (message with changes, or the patch), and each file as it is on a branch.

    Commits and files are what somebody wrote. Trees, logs and references lead to them; differences between
    any two states, and logs and commits for single files, are computed from them in endless variety. Files
    as they were are counted apart.
    """

    name = "cgit"
    packages = "cgit git lighttpd"
    needs = (*NEEDS, *git_history.NEEDS, str(_PROGRAM), f"{_STATIC}/robots.txt")

    def fill(self, root: Path, pages: int, seed: int) -> list[str]:
        items = git_history.make_repositories(root / "repositories", pages, seed)
        (root / "cgitrc").write_text(_SETTINGS.format(root=root))
        return items

    def served(self, root: Path) -> AbstractContextManager[Origin]:
        return lighttpd(_STATIC, "cgit.test", _CONFIG.format(program=_PROGRAM, root=root))

    def item_of(self, target: str, reply: Reply) -> str | None:
        view = target.partition("?")[0].split("/")[2:3]
        path = target.partition("?")[0].split("/")[3:]
        if view == ["plain"]:
            return f"blob:{git_history.blob_of(reply.body)}"
        if view == ["tree"] and (found := _BLOB.search(reply.body)):
            return f"blob:{found[1].decode()}"
        if view == ["commit"] and path == [""] and (found := _COMMIT.search(reply.body)):
            return f"commit:{found[1].decode()}"
        if view == ["patch"] and path == [""] and (found := _PATCH.match(reply.body)):
            return f"commit:{found[1].decode()}"
        return None

    def is_useful(self, target: str) -> bool:
        return bool(_USEFUL.match(target))


_SETTINGS = """virtual-root=/
css=/cgit.css
logo=/cgit.png
favicon=/favicon.ico
root-title=Repositories
robots=index, follow
snapshots=tar.gz
enable-log-filecount=1
enable-blame=1
readme=:README
remove-suffix=1
scan-path={root}/repositories
"""
_CONFIG = r"""
cgi.assign = ("cgit.cgi" => "")
alias.url = ("/cgit.cgi" => "{program}")
setenv.set-environment = ("CGIT_CONFIG" => "{root}/cgitrc")
url.rewrite-once = ("^/(cgit\.css|cgit\.png|favicon\.ico|robots\.txt)$" => "/$1",
  "^(/[^?]*)(\?.*)?$" => "/cgit.cgi$1$2")
"""
