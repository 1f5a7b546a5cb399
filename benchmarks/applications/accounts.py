"""Applications with people who log in: who they are, how they log in, and what must not change.

What an application writes by itself whenever a page is looked at is named here, and left out of the
comparison: caches, and notes that it makes again.
"""

import hashlib
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import ClassVar, NamedTuple
from urllib.parse import urlencode

from benchmarks.applications import database, wordpress
from benchmarks.applications.application import Application
from benchmarks.applications.dokuwiki import DokuWiki
from benchmarks.applications.origin import Origin
from benchmarks.applications.web_server import lighttpd, php

Data = dict[str, str]
"""What an application keeps: for each thing a fingerprint, or its few words."""


class Person(NamedTuple):
    role: str
    name: str
    password: str


class Guarded:
    """An application that people log in to."""

    application: ClassVar[Application]
    people: ClassVar[tuple[Person, ...]]
    volatile: ClassVar[str]
    """What is left out of the comparison, for people."""
    sign: ClassVar[bytes]
    """What only a page for insiders has."""

    def prepare(self, root: Path) -> None:
        """Let the people in, once the application is filled."""

    def served(self, root: Path, door: Path) -> AbstractContextManager[Origin]:
        """Serve a filled folder at a Unix socket."""
        raise NotImplementedError

    def log_in(self, door: Path, person: Person) -> str:
        """The cookies of somebody who has logged in."""
        raise NotImplementedError

    def data(self, root: Path) -> Data:
        """All that the application keeps, without what is volatile; asked while it is served."""
        raise NotImplementedError

    @property
    def host(self) -> str:
        return f"{self.application.name}.test"

    def is_logged_in(self, door: Path, cookies: str) -> bool:
        response, body = ask(door, self.host, self.application.start, cookies=cookies)
        return response.status == 200 and self.sign in body


class GuardedDokuWiki(Guarded):
    application = DokuWiki()
    people = (Person("user", "uma", "xuma"), Person("administrator", "adam", "xadam"))
    volatile = (
        "data/cache, data/index, data/tmp, data/log (made again from the pages), *.meta, *.indexed "
        "(what was found when a page was last shown)"
    )
    sign = b"do=logout"

    def prepare(self, root: Path) -> None:
        conf = root / "site/conf"
        groups = {"user": "user", "administrator": "admin,user"}
        lines = [
            f"{one.name}:{_hash(one.password)}:{one.name}:{one.name}@example.org:{groups[one.role]}"
            for one in self.people
        ]
        (conf / "users.auth.php").write_text("\n".join(lines) + "\n")
        (conf / "acl.auth.php").write_text("*\t@ALL\t1\n*\t@user\t16\n")

    def served(self, root: Path, door: Path) -> AbstractContextManager[Origin]:
        return lighttpd(root / "site", self.host, php() + _door(door))

    def log_in(self, door: Path, person: Person) -> str:
        form = "/doku.php?id=start&do=login"
        response, body = ask(door, self.host, form)
        found = re.search(rb'name="sectok" value="([^"]*)"', body)
        fields = {"u": person.name, "p": person.password, "r": "1", "do": "login", "id": "start"}
        fields["sectok"] = found[1].decode() if found else ""
        before = cookies_of(response)
        response, _ = ask(door, self.host, form, cookies=join(before), fields=fields)
        return join(before | cookies_of(response))

    def data(self, root: Path) -> Data:
        files = [*(root / "data").rglob("*"), *(root / "site/conf").rglob("*")]
        return {
            str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(files)
            if path.is_file() and not _REMADE.search(str(path.relative_to(root)))
        }


_REMADE = re.compile(r"^data/(cache|index|tmp|log)/|\.(meta|indexed)$")


class GuardedWordPress(Guarded):
    application = wordpress.WordPress()
    people = (Person("user", "anna", "xanna"), Person("administrator", "editor", "not a secret"))
    volatile = (
        "wp_options: transients and cron (caches with a time), recently_edited and recently_activated (what "
        "was looked at last), empty widgets (written when widgets are first looked at); wp_usermeta: columns "
        "and boxes that a user sees, lists or grids, the number of the empty draft that the dashboard has "
        "for each user; that draft; wp_postmeta: privacy texts that WordPress suggests (a cache, which it "
        "fills when an administrator looks at its guide to privacy)"
    )
    sign = b"action=logout"

    def served(self, root: Path, door: Path) -> AbstractContextManager[Origin]:
        return _with_database(root, lighttpd(root / "site", self.host, self._lines(door)))

    def _lines(self, door: Path) -> str:
        return php() + wordpress._REWRITES + _door(door)

    def log_in(self, door: Path, person: Person) -> str:
        fields = {"log": person.name, "pwd": person.password, "testcookie": "1"}
        test = "wordpress_test_cookie=WP%20Cookie%20check"
        response, _ = ask(door, self.host, "/wp-login.php", cookies=test, fields=fields)
        return join(cookies_of(response))

    def data(self, root: Path) -> Data:
        found = {}
        drafts = set(_select(root, _DRAFTS))
        for table in _select(root, "show tables"):
            for row in _select(root, f"select * from {table}"):
                number, _, _ = row.partition("\t")
                is_draft = table == "wp_posts" and number in drafts
                if not is_draft and not _PASSING.search(row):
                    found[f"{table} {number}"] = row
        files = (root / "site/wp-content").rglob("*")
        return found | {str(path.relative_to(root)): "" for path in sorted(files)}


_DRAFTS = (
    "select meta_value from wp_usermeta where meta_key = 'wp_dashboard_quick_press_last_post_id'"
)
_PASSING = re.compile(
    r"^\d+\t(_site_transient_|_transient_|cron\t|recently_edited\t|recently_activated\t)"
    r"|^\d+\twidget_\w+\ta:(0:\{\}|2:\{i:1;a:0:\{\}s:12:\"_multiwidget\";i:1;\})\t"
    r"|^\d+\t\d+\t(wp_dashboard_quick_press_last_post_id|wp_media_library_mode)\t"
    r"|^\d+\t\d+\t(manage\S+columnshidden|metaboxhidden_\S+)\t"
    r"|^\d+\t\d+\t_wp_suggested_privacy_policy_content\t"
)


@contextmanager
def _with_database(root: Path, server: AbstractContextManager[Origin]) -> Iterator[Origin]:
    with database.mariadb(root / "data", root / "socket"), server as origin:
        yield origin


def _select(root: Path, statement: str) -> list[str]:
    client = shutil.which("mariadb") or "mariadb"
    socket = (root / "socket").read_text()
    command = [client, "--no-defaults", f"--socket={socket}", "--user=root", "-N", "-B"]
    command += ["-e", statement, database.NAME]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def _door(door: Path) -> str:
    """Lines that let lighttpd listen there, too."""
    return f'\n$SERVER["socket"] == "{door}" {{ }}\n'


def _hash(password: str) -> str:
    command = ["php", "-r", "echo password_hash($argv[1], PASSWORD_BCRYPT);", password]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


# Requests of our own, at a Unix socket.


def ask(
    door: Path, host: str, target: str, cookies: str = "", fields: dict[str, str] | None = None
) -> tuple[HTTPResponse, bytes]:
    from benchmarks.applications.origin import _Connection

    connection: HTTPConnection = _Connection(door)
    headers = {"Host": host, **({"Cookie": cookies} if cookies else {})}
    if fields is None:
        connection.request("GET", target, headers=headers)
    else:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request("POST", target, urlencode(fields), headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def cookies_of(response: HTTPResponse) -> dict[str, str]:
    lines = response.headers.get_all("set-cookie") or []
    pairs = [line.partition(";")[0].partition("=") for line in lines]
    return {name: value for name, _, value in pairs if value not in ("", "deleted")}


def join(cookies: dict[str, str]) -> str:
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


GUARDED: tuple[Guarded, ...] = (GuardedDokuWiki(), GuardedWordPress())
