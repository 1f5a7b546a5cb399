"""Fossil: timeline, files, wiki and tickets of one repository, each in many views."""

import hashlib
import html
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, urlsplit

from benchmarks.applications import git_history
from benchmarks.applications.application import OLD, Application, Origin, Reply
from benchmarks.applications.texts import Text, texts
from benchmarks.applications.web_server import NEEDS, lighttpd

_COMMIT = re.compile(rb'id="hash-ci">([0-9a-f]{32})<wbr>([0-9a-f]{32})<')
_BLOB = re.compile(rb'href="/fossil/raw/([0-9a-f]{64})')
_TICKET = re.compile(rb'href="/fossil/tkthistory/([0-9a-f]{10})')
_TEXT = re.compile(rb"<pre>\n(.*)\n</pre>", re.DOTALL)
_USEFUL = re.compile(
    r"/fossil/((home|index|timeline|dir|tree|ticket|wiki|reportlist|rptview/\d+|wcontent|brlist|taglist)?$"
    r"|timeline\?(r=[\w%]+|[bc]=[^&]*)(&[bcn]=[^&]*)*$|(dir|tree)\?ci=[\w%]+(&name=[^&]*)?$"
    r"|file\?name=[^&]*&ci=(tip|master|next)$|wiki\?name=[^&]*(&p)?$|(info|tktview)/[0-9a-f]+$)"
)
_NAME = "Manuals"


class Fossil(Application):
    """Content: each check-in, each file as it is on a branch, each page of the wiki, each ticket.

    Timelines around any of them, ages, annotations, differences, dumps and reports are made from these. Files
    as they were are counted apart.
    """

    name = "fossil"
    packages = "fossil git lighttpd"
    needs = (*NEEDS, *git_history.NEEDS, "fossil")
    is_set_aside = True
    start = "/fossil/home"

    def fill(self, root: Path, pages: int, seed: int) -> list[str]:
        git_history.make_repositories(root / "repositories", pages, seed)
        stream = git_history.git(
            f"--git-dir={root}/repositories/manuals.git", "fast-export", "--all"
        )
        _fossil(root, "import", "--git", "site.fossil", text=stream)
        _sql(root, f"replace into config values ('project-name', '{_NAME}', 0)")
        _fossil(root, "user", "capabilities", "nobody", "hgjorz", "-R", "site.fossil")
        found, random = texts(pages, seed), Random(seed)
        wiki = found[1 :: len(git_history.NAMES)]
        _write_wiki(root, random, wiki)
        _write_tickets(root, random, found[2 :: len(git_history.NAMES)])
        (root / "site.cgi").write_text(f"#!/usr/bin/fossil\nrepository: {root}/site.fossil\n")
        (root / "site.cgi").chmod(0o755)
        return [*(f"wiki:{_name(text)}" for text in wiki), f"wiki:{_NAME}", *_stored(root)]

    def served(self, root: Path) -> AbstractContextManager[Origin]:
        return lighttpd(root / "repositories", "fossil.test", _CONFIG.format(root=root))

    def item_of(self, target: str, reply: Reply) -> str | None:
        path, said = urlsplit(target).path, parse_qs(urlsplit(target).query)
        view = path.split("/")[2] if path.count("/") > 1 else ""
        if view in ("home", "index"):
            return f"wiki:{_NAME}"
        if view == "wiki" and said.keys() <= {"name", "p"} and "name" in said:
            return f"wiki:{said['name'][0]}"
        if view in ("raw", "doc"):
            return f"blob:{hashlib.sha3_256(_shown(reply)).hexdigest()}"
        if view in ("info", "vinfo", "ci") and (found := _COMMIT.search(reply.body)):
            return f"commit:{(found[1] + found[2]).decode()}"
        if view in ("info", "tktview", "ticket") and (found := _TICKET.search(reply.body)):
            return f"ticket:{found[1].decode()}"
        if view in ("info", "file", "artifact") and (found := _BLOB.search(reply.body)):
            return f"blob:{found[1].decode()}"
        return None

    def is_useful(self, target: str) -> bool:
        return bool(_USEFUL.match(target))


def _write_wiki(root: Path, random: Random, found: list[Text]) -> None:
    names = [_name(text) for text in found]
    for name, text in zip(names, found, strict=True):
        near = " ".join(
            f"[{one}](wiki?name={one})" for one in random.sample(names, min(3, len(names)))
        )
        said = "\n\n".join((f"# {text.title.title()}", *text.paragraphs, f"See {near}"))
        _fossil(root, "wiki", "create", name, *_WIKI, text=said)
        if random.random() < 0.4:
            _fossil(root, "wiki", "commit", name, *_WIKI, text=f"{said}\n\nRead once more.\n")
    storage = "\n".join(f" * [{name}](wiki?name={name})" for name in names[::2])
    _fossil(root, "wiki", "create", _NAME, *_WIKI, text=f"# {_NAME}\n\n{storage}\n")


def _write_tickets(root: Path, random: Random, found: list[Text]) -> None:
    for text in found:
        fields = {
            "title": text.title,
            "comment": "\n\n".join(text.paragraphs[:4]),
            "status": random.choice(("Open", "Fixed", "Closed", "Review")),
            "type": random.choice(("Code_Defect", "Feature_Request", "Documentation")),
        }
        words = [word for pair in fields.items() for word in pair]
        _fossil(root, "ticket", "add", *words, "-R", "site.fossil")


def _stored(root: Path) -> Iterator[str]:
    """What the repository has, by the numbers that it gives."""
    commits = _sql(root, "select uuid from event join blob on rid = objid where type = 'ci'")
    current = {
        uuid
        for head in ("master", "next")
        for uuid in _sql(root, f"select uuid from files_of_checkin('{head}')")
    }
    every = set(_sql(root, "select distinct uuid from mlink join blob on rid = fid where fid > 0"))
    yield from (f"commit:{uuid}" for uuid in commits)
    yield from (f"blob:{uuid}" for uuid in sorted(current))
    yield from (f"{OLD}blob:{uuid}" for uuid in sorted(every - current))
    yield from (f"ticket:{uuid[:10]}" for uuid in _sql(root, "select tkt_uuid from ticket"))


def _shown(reply: Reply) -> bytes:
    """A file as it is, from within its page if it has one."""
    found = _TEXT.search(reply.body) if reply.is_html else None
    return html.unescape(found[1].decode()).encode() if found else reply.body


def _name(text: Text) -> str:
    return "".join(word.capitalize() for word in text.title.split())


def _sql(root: Path, statement: str) -> list[str]:
    told = _fossil(root, "sqlite3", "-R", "site.fossil", text=f".mode list\n{statement};\n")
    return told.split()


def _fossil(root: Path, *words: str, text: str = "") -> str:
    where = {**os.environ, "HOME": str(root), "USER": "anna"}
    done = subprocess.run(
        ["fossil", *words],
        cwd=root,
        env=where,
        input=text.encode(),
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"fossil {words[0]}: {done.stderr.decode()[-2000:]}")
    return done.stdout.decode()


_WIKI = ("-M", "text/x-markdown", "-R", "site.fossil")
_CONFIG = r"""
cgi.assign = ("site.cgi" => "")
alias.url = ("/fossil" => "{root}/site.cgi")
"""
