"""WordPress with the theme Twenty Twenty-One, as it comes from its packages."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.applications import database
from benchmarks.applications.application import Application, Origin, Reply
from benchmarks.applications.pictures import png
from benchmarks.applications.texts import Text, texts
from benchmarks.applications.web_server import PHP_NEEDS, lighttpd, php, run_php

_SOURCES = Path("/usr/share/wordpress")
_FILL = Path(__file__).with_name("wordpress_fill.php")
_FIRST_DAY = 1_500_000_000
_AUTHORS = ("anna", "boris", "chen", "dora")
_USELESS = re.compile(r"/(feed|embed)/|/feed$|/wp-|/xmlrpc")


class WordPress(Application):
    """Content: each post, page and picture's page, their second and third parts, and further comments.

    These are what somebody wrote. The front page, categories, tags, authors, days and months show the
    same texts again in other choices; feeds, oEmbed, the REST interface and reply links show single ones
    again. A post has the path that WordPress says it has; a query does not change what it shows.
    """

    name = "wordpress"
    packages = (
        "wordpress wordpress-theme-twentytwentyone php-cgi php-cli php-mysql lighttpd "
        "mariadb-server-core mariadb-client-core"
    )
    needs = (
        *(*PHP_NEEDS, *database.NEEDS, f"{_SOURCES}/wp-load.php"),
        f"{_SOURCES}/wp-content/themes/twentytwentyone/style.css",
    )

    def fill(self, root: Path, pages: int, seed: int) -> list[str]:
        _install(root)
        plan = _plan(texts(pages, seed), Random(seed), root / "pictures")
        with database.mariadb(root / "data", root / "socket"):
            script = shutil.copy(_FILL, root / "site")
            told = run_php(Path(script), text=json.dumps(plan))
            Path(script).unlink()
        return [f"path:{path}" for path in json.loads(told.splitlines()[-1])]

    @contextmanager
    def served(self, root: Path) -> Iterator[Origin]:
        with (
            database.mariadb(root / "data", root / "socket"),
            lighttpd(root / "site", "wordpress.test", php() + _REWRITES) as origin,
        ):
            yield origin

    def item_of(self, target: str, reply: Reply | None = None) -> str | None:
        path, _, query = target.partition("?")
        if "embed=" in query or "feed=" in query:
            return None
        return f"path:{path}"

    def is_useful(self, target: str) -> bool:
        return "?" not in target and not _USELESS.search(target)


def _install(root: Path) -> None:
    """Copy the program; its settings read the database's place from a file beside it."""
    site = root / "site"
    shutil.copytree(_SOURCES, site, ignore=shutil.ignore_patterns("wp-config.php", ".htaccess"))
    (site / "wp-content/uploads").mkdir(parents=True, exist_ok=True)
    (site / "wp-config.php").write_text(_CONFIG.format(root=root, name=database.NAME))


def _plan(found: list[Text], random: Random, pictures: Path) -> dict[str, Any]:
    """What is written: plain lists that the script in PHP turns into posts."""
    pictures.mkdir()
    categories = sorted({text.title.split()[0] for text in found[:12]})
    tags = sorted({text.title.split()[-1] for text in found[12:52]})
    posts = []
    for number, (title, paragraphs) in enumerate(found):
        if number % 15 == 4:
            (pictures / f"picture-{number}.png").write_bytes(png(number))
        posts.append(
            {
                "title": title.title(),
                "parts": _parts(paragraphs, number, len(found), random),
                "date": _FIRST_DAY + random.randrange(90_000_000),
                "author": random.choice(_AUTHORS),
                "categories": random.sample(categories, random.choice((1, 1, 2))),
                "tags": random.sample(tags, random.randrange(4)),
                "comments": _comments(found, random),
                "page": number % 25 == 9,
                "picture": str(pictures / f"picture-{number}.png") if number % 15 == 4 else "",
            }
        )
    return {"authors": _AUTHORS, "categories": categories, "posts": posts}


def _parts(paragraphs: tuple[str, ...], number: int, count: int, random: Random) -> list[str]:
    """The text in one part, or in several that have a page each; `{{7}}` is a link to post 7."""
    linked = [f"<p>{paragraph}{_link(number, count, random)}</p>" for paragraph in paragraphs]
    if number % 12 == 5 and len(linked) >= 6:
        third = len(linked) // 3
        return ["".join(linked[place : place + third]) for place in (0, third, 2 * third)]
    return ["".join(linked)]


def _link(number: int, count: int, random: Random) -> str:
    return (
        f" {{{{{(number + random.randrange(1, 40)) % count}}}}}" if random.random() < 0.25 else ""
    )


def _comments(found: list[Text], random: Random) -> list[dict[str, Any]]:
    """None, a few, or so many that they fill several pages."""
    count = random.choice((0, 0, 1, 2, 4, random.randrange(12, 40)))
    return [
        {
            "author": f"Guest {random.randrange(200)}",
            "text": random.choice(random.choice(found).paragraphs)[:400] + f" ({place})",
            "after": 3600 * (place + 1),
            "reply_to": random.randrange(place) if place and random.random() < 0.3 else -1,
        }
        for place in range(count)
    ]


_REWRITES = r"""
url.rewrite-if-not-file = ("^/wp-(admin|includes|content)/" => "$0", "^/[^?]*(\?.*)?$" => "/index.php$1")
"""
_CONFIG = """<?php
define('DB_NAME', '{name}');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:' . file_get_contents('{root}/socket'));
define('DB_CHARSET', 'utf8mb4');
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $kind) {{
    define($kind . '_KEY', 'nothing to guard');
    define($kind . '_SALT', 'nothing to guard');
}}
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
"""
