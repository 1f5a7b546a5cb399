"""MediaWiki, as it comes from its package, with SQLite."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from html import escape
from pathlib import Path
from random import Random
from time import gmtime, strftime
from urllib.parse import parse_qs, unquote, urlsplit

from benchmarks.applications.application import OLD, Application, Origin, Reply
from benchmarks.applications.texts import Text, texts
from benchmarks.applications.web_server import PHP_NEEDS, lighttpd, php, run_php

_SOURCES = Path("/usr/share/mediawiki")
_FIRST_DAY = 1_300_000_000
_AUTHORS = ("Anna", "Boris", "Chen", "Dora", "Emil")
_SPACES = {0: "", 1: "Talk:", 14: "Category:"}
"""The namespaces that people write in here."""
_VIEWING = {"title", "redirect"}


class MediaWiki(Application):
    """Content: the current text of each page, talk page and category that somebody wrote.

    Old revisions are counted apart. Forms, histories, differences, special pages and exports are made from
    these.
    """

    name = "mediawiki"
    packages = "mediawiki php-cgi php-cli php-xml php-mbstring php-intl php-sqlite3 lighttpd"
    needs = (*PHP_NEEDS, f"{_SOURCES}/maintenance/install.php")
    is_set_aside = True
    start = "/index.php?title=Portal"

    def fill(self, root: Path, pages: int, seed: int) -> list[str]:
        (root / "data").mkdir()
        words = ["--dbtype=sqlite", f"--dbpath={root}/data", "--dbname=wiki", f"--confpath={root}"]
        words += ["--server=http://mediawiki.test", "--scriptpath=", "--pass=not-a-secret-1"]
        run_php(_SOURCES / "maintenance/install.php", *words, "Manuals", "Editor")
        settings = root / "LocalSettings.php"
        settings.write_text(settings.read_text() + _SETTINGS)
        dump = root / "dump.xml"
        dump.write_text(_Dump(texts(pages, seed), Random(seed)).text())
        for script, *more in (
            ("importDump", str(dump)),
            ("rebuildrecentchanges",),
            ("initSiteStats",),
        ):
            path = _SOURCES / f"maintenance/{script}.php"
            run_php(path, *more, environment={"MW_CONFIG_FILE": str(settings)})
        return list(_items(root / "data/wiki.sqlite"))

    def served(self, root: Path) -> AbstractContextManager[Origin]:
        environment = {
            "MW_CONFIG_FILE": str(root / "LocalSettings.php"),
            "PATH": os.environ["PATH"],
        }
        return lighttpd(_SOURCES, "mediawiki.test", php(environment=environment) + _REWRITES)

    def item_of(self, target: str, reply: Reply | None = None) -> str | None:
        title, query = _asked(target)
        if not title or title.startswith("Special:") or query.get("action", "view") != "view":
            return None
        if "oldid" in query and "diff" not in query:
            return f"page:{title}@{query['oldid']}"
        return f"page:{title}" if query.keys() <= _VIEWING else None

    def is_useful(self, target: str) -> bool:
        item = self.item_of(target)
        return item is not None and "@" not in item


def _asked(target: str) -> tuple[str, dict[str, str]]:
    """The title, in MediaWiki's spelling, and the query."""
    path, said = urlsplit(f"http://x{target}")[2:4]
    query = {name: values[-1] for name, values in parse_qs(said).items()}
    found = re.match(r"/index\.php(?:/(.*))?$", path)
    title = query.get("title") or unquote((found[1] or "") if found else "")
    title = title.strip().replace(" ", "_") if found else ""
    return title[:1].upper() + title[1:], query


def _items(base: Path) -> Iterator[str]:
    """What the wiki has, from its tables."""
    with closing(sqlite3.connect(base)) as tables:
        pages = {
            number: f"page:{_SPACES[space]}{title}"
            for number, space, title in tables.execute(
                "select page_id, page_namespace, cast(page_title as text) from page "
                "where page_is_redirect = 0"
            )
            if space in _SPACES
        }
        yield from pages.values()
        older = (
            "select rev_page, rev_id from revision join page on page_id = rev_page "
            "where rev_id <> page_latest"
        )
        for page, revision in tables.execute(older):
            if page in pages:
                yield f"{OLD}{pages[page]}@{revision}"


class _Dump:
    """Pages with their revisions in MediaWiki's format for exchange."""

    def __init__(self, found: list[Text], random: Random) -> None:
        self._texts = found
        self._random = random
        self._titles = [text.title.capitalize() for text in found]
        self._topics = sorted({text.title.split()[0].capitalize() for text in found[:15]})

    def text(self) -> str:
        return f'<mediawiki xml:lang="en">{"".join(self._pages())}</mediawiki>'

    def _pages(self) -> Iterator[str]:
        links = "\n".join(f"* [[:Category:Of {topic}]]" for topic in self._topics)
        yield self._page("Portal", 0, [f"Welcome.\n\n{links}\n\n[[{self._titles[0]}]]"])
        for topic in self._topics:
            yield self._page(f"Category:Of {topic}", 14, [f"All that has to do with {topic}."])
        for number, text in enumerate(self._texts):
            body = [f"{paragraph} {self._link(number)}" for paragraph in text.paragraphs]
            body.append(f"[[Category:Of {self._random.choice(self._topics)}]]")
            count = self._random.choice((1, 1, 1, 2, 4, 6))
            yield self._page(
                text.title.capitalize(), 0, [_cut(body, count - n) for n in range(1, count + 1)]
            )
            if number % 10 == 2:
                says = f"I doubt this: {self._random.choice(text.paragraphs)} --[[User:Dora]]"
                yield self._page(f"Talk:{text.title.capitalize()}", 1, [says])

    def _link(self, number: int) -> str:
        chance = self._random.random()
        if chance < 0.05:
            return f"[[Nobody wrote {self._random.randrange(10**6)}]]"
        near = self._titles[(number + self._random.randrange(1, 40)) % len(self._titles)]
        return f"See [[{near}]]." if chance < 0.4 else ""

    def _page(self, title: str, space: int, states: list[str]) -> str:
        day = _FIRST_DAY + self._random.randrange(200_000_000)
        revisions = []
        for state in states:
            day += self._random.randrange(3600, 3_000_000)
            revisions.append(_revision(state, day, self._random.choice(_AUTHORS)))
        return f"<page><title>{escape(title)}</title><ns>{space}</ns>{''.join(revisions)}</page>"


def _cut(body: list[str], left_out: int) -> str:
    return "\n\n".join(body[: max(1, len(body) - left_out)])


def _revision(text: str, day: int, author: str) -> str:
    return (
        f"<revision><timestamp>{strftime('%Y-%m-%dT%H:%M:%SZ', gmtime(day))}</timestamp>"
        f"<contributor><username>{author}</username></contributor><model>wikitext</model>"
        f'<format>text/x-wiki</format><text xml:space="preserve">{escape(text)}</text></revision>'
    )


_SETTINGS = """
$_SERVER['REMOTE_ADDR'] = '127.0.0.1';
$wgGroupPermissions['*']['edit'] = true;
$wgJobRunRate = 0;
$wgShowExceptionDetails = true;
$wgMainCacheType = CACHE_NONE;
$wgParserCacheType = CACHE_NONE;
"""
_REWRITES = """
url.rewrite-once = ("^/(\\?.*)?$" => "/index.php$1")
"""
