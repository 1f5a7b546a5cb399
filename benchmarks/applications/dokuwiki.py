"""DokuWiki, as it comes from its package: readers may read, and must log in to write."""

import gzip
import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, urlsplit

from benchmarks.applications.application import OLD, Application, Origin, Reply
from benchmarks.applications.origin import without_nofollow
from benchmarks.applications.pictures import png
from benchmarks.applications.texts import Text, texts
from benchmarks.applications.web_server import PHP_NEEDS, lighttpd, php, run_php

_SOURCES = Path("/usr/share/dokuwiki")
_SETTINGS = Path("/etc/dokuwiki")
_FIRST_DAY = 1_420_000_000
_AUTHORS = ("anna", "boris", "chen", "dora", "emil")
_PER_NAMESPACE = 25


class DokuWiki(Application):
    """Content: the current text of each page, each attached file, each picture (its page or itself).

    These are what somebody wrote. Indexes, changes, differences, exports, feeds and forms show the same
    again. Old revisions are texts of their own, but the wiki itself asks not to index them: they are
    counted apart.
    """

    name = "dokuwiki"
    packages = "dokuwiki php-cgi php-cli php-xml php-mbstring lighttpd"
    needs = (*PHP_NEEDS, f"{_SOURCES}/doku.php", f"{_SETTINGS}/dokuwiki.php")
    start = "/doku.php"

    def fill(self, root: Path, pages: int, seed: int) -> list[str]:
        _install(root)
        _Writer(root / "data", texts(pages, seed), Random(seed)).write()
        run_php(root / "site/bin/indexer.php", "-q")
        return list(_items(root / "data"))

    def served(self, root: Path) -> AbstractContextManager[Origin]:
        return lighttpd(root / "site", f"{self.name}.test", php())

    def item_of(self, target: str, reply: Reply | None = None) -> str | None:
        path, query = _parts(target)
        media = query.get("media", "").strip(":")
        if path in ("/lib/exe/fetch.php", "/lib/exe/detail.php") and media:
            return f"{'image' if media.endswith('.png') else 'file'}:{media}"
        if path not in ("/", "/doku.php") or query.get("do", "show") != "show" or "idx" in query:
            return None
        page = query.get("id", "start").strip(":").lower().replace("/", ":")
        return f"page:{page}@{query['rev']}" if "rev" in query else f"page:{page}"

    def is_useful(self, target: str) -> bool:
        path, query = _parts(target)
        is_index = query.get("do") == "index" or "idx" in query
        if is_index:  # each page has an index of its own, and all are the same
            return path == "/doku.php" and query.get("id", "start") == "start"
        return self.item_of(target) is not None and "rev" not in query


class OpenDokuWiki(DokuWiki):
    """The same wiki with a template that does not say nofollow: its tools lie open to every crawler."""

    name = "dokuwiki-open"

    @contextmanager
    def served(self, root: Path) -> Iterator[Origin]:
        with super().served(root) as origin:
            yield without_nofollow(origin)


def _parts(target: str) -> tuple[str, dict[str, str]]:
    path, query = urlsplit(f"http://x{target}")[2:4]
    return path, {name: values[-1] for name, values in parse_qs(query).items()}


def _install(root: Path) -> None:
    """Copy the program, which finds its settings and data beside itself."""
    site = root / "site"
    shutil.copytree(_SOURCES, site, ignore=shutil.ignore_patterns("preload.php", ".htaccess*"))
    conf = site / "conf"
    shutil.copytree(
        _SETTINGS, conf, ignore=shutil.ignore_patterns("*.auth.php", "htaccess", ".ht*")
    )
    (conf / "local.php").write_text(_LOCAL.format(data=root / "data"))
    (conf / "acl.auth.php").write_text("*\t@ALL\t1\n")
    (conf / "users.auth.php").write_text("")
    for folder in ("attic", "cache", "index", "locks", "log", "media_attic", "media_meta", "tmp"):
        (root / "data" / folder).mkdir(parents=True)


class _Writer:
    """Writes pages, their revisions and their history as DokuWiki itself does."""

    def __init__(self, data: Path, found: list[Text], random: Random) -> None:
        self._data = data
        self._texts = found
        self._random = random
        self._namespaces = [
            text.title.split()[0] + str(n) for n, text in enumerate(found[::_PER_NAMESPACE])
        ]
        self._ids = [self._id_of(n) for n in range(len(found))]
        self._changes: list[str] = []

    def _id_of(self, number: int) -> str:
        namespace = self._namespaces[number % len(self._namespaces)]
        deeper = f"{namespace}:more" if number % 5 == 4 else namespace
        return f"{deeper}:{self._texts[number].title.replace(' ', '_')}"

    def write(self) -> None:
        for number in range(len(self._texts)):
            self._page(number)
        for name in self._namespaces:
            self._save(f"{name}:start", [self._overview(name)])
        storage = "\n".join(f"  * [[{name}:start|All about {name}]]" for name in self._namespaces)
        self._save("start", [f"====== Welcome ======\n\n{storage}\n"])
        self._save("sidebar", ["  * [[start|Home]]\n  * [[" + self._ids[0] + "]]\n"])
        changes = sorted(self._changes, key=lambda line: int(line.split("\t")[0]))
        (self._data / "meta/_dokuwiki.changes").write_text("".join(changes))

    def _overview(self, namespace: str) -> str:
        """Most pages of a namespace; the others are found in the index or through their like."""
        own = [page for page in self._ids if page.startswith(f"{namespace}:")]
        listed = [page for page in own if self._random.random() < 0.8]
        lines = "\n".join(f"  * [[{page}]]" for page in listed)
        return f"====== {namespace} ======\n\n{lines}\n"

    def _page(self, number: int) -> None:
        body = self._body(number)
        revisions = 1 + (self._random.randrange(1, 6) if self._random.random() < 0.4 else 0)
        cuts = [body[: max(2, len(body) - left)] for left in range(revisions - 1, -1, -1)]
        self._save(self._ids[number], ["\n\n".join(cut) + "\n" for cut in cuts])

    def _body(self, number: int) -> list[str]:
        title, paragraphs = self._texts[number]
        parts = [f"====== {title.title()} ======"]
        for place, paragraph in enumerate(paragraphs):
            if place % 4 == 3:
                parts.append(f"===== Part {place // 4 + 1} =====")
            parts.append(f"{paragraph} {self._link(number)}")
        return [*parts, *self._attachments(number)]

    def _link(self, number: int) -> str:
        chance = self._random.random()
        if chance < 0.05:
            return f"[[{self._namespaces[0]}:nobody_wrote_{self._random.randrange(10**6)}]]"
        near = (number + self._random.randrange(1, 40)) % len(self._ids)
        return f"See [[{self._ids[near]}]]." if chance < 0.4 else ""

    def _attachments(self, number: int) -> Iterator[str]:
        namespace = self._namespaces[number % len(self._namespaces)]
        if number % 20 == 3:
            notes = "\n".join(reversed(self._texts[number].paragraphs))
            self._attach(f"{namespace}/notes_{number}.txt", notes.encode())
            yield f"{{{{:{namespace}:notes_{number}.txt|Notes}}}}"
        if number % 20 == 7:
            self._attach(f"{namespace}/picture_{number}.png", png(number))
            yield f"{{{{:{namespace}:picture_{number}.png|Picture {number}}}}}"

    def _attach(self, name: str, body: bytes) -> None:
        path = self._data / "media" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)

    def _save(self, page: str, states: list[str]) -> None:
        """Write a page with all its states, the last of which is the current one."""
        day = _FIRST_DAY + self._random.randrange(200_000_000)
        lines = []
        for number, state in enumerate(states):
            day += self._random.randrange(3600, 3_000_000)
            kind, said = ("E", "a correction") if number else ("C", "created")
            author = self._random.choice(_AUTHORS)
            lines.append(f"{day}\t127.0.0.1\t{kind}\t{page}\t{author}\t{said}\t\t{len(state)}\n")
            self._file("attic", page, f".{day}.txt.gz").write_bytes(
                gzip.compress(state.encode(), mtime=0)
            )
        current = self._file("pages", page, ".txt")
        current.write_text(states[-1])
        os.utime(current, (day, day))
        self._file("meta", page, ".changes").write_text("".join(lines))
        self._changes += lines

    def _file(self, folder: str, page: str, ending: str) -> Path:
        path = self._data / folder / f"{page.replace(':', '/')}{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


def _items(data: Path) -> Iterator[str]:
    """What the wiki has, from its files. The menu beside each page is a page of its own, too."""
    for path in sorted((data / "pages").rglob("*.txt")):
        yield f"page:{_name(path, data / 'pages').removesuffix('.txt')}"
    for path in sorted((data / "attic").rglob("*.txt.gz")):
        page, _, day = _name(path, data / "attic").removesuffix(".txt.gz").rpartition(".")
        yield f"{OLD}page:{page}@{day}"
    for path in sorted((data / "media").rglob("*.*")):
        yield f"{'image' if path.suffix == '.png' else 'file'}:{_name(path, data / 'media')}"


def _name(path: Path, folder: Path) -> str:
    return str(path.relative_to(folder)).replace("/", ":")


_LOCAL = """<?php
$conf['title'] = 'Manuals';
$conf['savedir'] = '{data}';
$conf['useacl'] = 1;
$conf['superuser'] = '@admin';
$conf['updatecheck'] = 0;
$conf['defer_js'] = 1;
"""
