"""Name the file of each URL.

The name is that of the URL, as far as any file system takes it: letters, digits and a few signs. Where that
cannot be, because it is too long, is taken already, or is a folder as well, a hash takes its place.
"""

import re
from mimetypes import guess_extension

from xxhash import xxh3_64_hexdigest

from gossamer.core.url import Url

_UNSAFE = re.compile(r"[^A-Za-z0-9._~-]")
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)", re.IGNORECASE)
"""Names that Windows keeps for itself."""
_MOST_LETTERS, _LONGEST_PATH, _MOST_FOLDERS = 80, 180, 12
_OVERFLOW = "_"
"""The folder of files whose own name cannot be; no part of a URL is called that."""
_SHOWN = re.compile(
    r"\.(html?|xhtml|xht|shtml|svgz?|xml|mht|mhtml|hta|js|php|asp|jsp|cgi)$", re.IGNORECASE
)
"""Endings by which a browser or a system would run or show what is in a file."""
HTML = frozenset({"text/html", "application/xhtml+xml"})
_ENDINGS = {
    "text/html": (".html", ".htm"),
    "application/xhtml+xml": (".xhtml", ".html", ".htm"),
    "text/css": (".css",),
    "text/javascript": (".js", ".mjs"),
    "application/javascript": (".js", ".mjs"),
    "image/svg+xml": (".svg",),
    "application/xml": (".xml",),
    "text/xml": (".xml",),
    "application/rss+xml": (".xml", ".rss"),
    "application/atom+xml": (".xml", ".atom"),
}
"""For these the ending must be one of those, because it decides what a browser does with a file."""


class FileNames:
    """Gives each URL a file, once. The same URLs in the same order have the same files.

    >>> from gossamer.core.url import parse
    >>> names = FileNames()
    >>> [names.name(parse(f"http://a.test/{path}"), "text/html") for path in ("", "b", "b/c?d=1", "B")]
    ['a.test/index.html', 'a.test/b.html', 'a.test/b/c~d_1.html', 'a.test/_/cf17fa439ae894a7.html']
    """

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._folders: set[str] = set()
        self._hosts: dict[str, str] = {}
        """The folder of each origin."""
        self._taken = {"index.html"}

    def name(self, url: Url, media_type: str) -> str:
        """The path of a file, with `/` between folders."""
        host = self._hosts.get(url.origin) or self._host(url)
        path = _own_path(url, host, media_type)
        if path is None or not self._is_free(path):
            ending = _ending(url, media_type)
            path = f"{host}/{_OVERFLOW}/{xxh3_64_hexdigest(url.text.encode())}{ending}"
        self._take(path)
        return path

    def _host(self, url: Url) -> str:
        """A folder for each origin: the same host by another scheme is another site."""
        name = _tame(url.origin.partition("://")[2])[:_MOST_LETTERS]
        if name.casefold() in self._taken:
            name = f"{name[:60]}_{xxh3_64_hexdigest(url.origin.encode())}"
        self._taken.add(name.casefold())
        self._hosts[url.origin] = name
        return name

    def _is_free(self, path: str) -> bool:
        """Is it neither a file nor a folder, and are none of its folders files?"""
        low = path.casefold()
        parents = _parents(low)
        return (
            low not in self._files
            and f"{low}/" not in self._folders
            and not any(parent.rstrip("/") in self._files for parent in parents)
        )

    def _take(self, path: str) -> None:
        low = path.casefold()
        self._files.add(low)
        self._folders.update(_parents(low))


def _parents(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: count + 1]) + "/" for count in range(len(parts))]


def _own_path(url: Url, host: str, media_type: str) -> str | None:
    path, _, query = url.path.partition("?")
    *folders, last = path.lstrip("/").split("/")
    last = last or "index"
    if query:
        last += f"~{query}"
    tamed = [_tame(folder) for folder in folders]
    name = _with_ending(_tame(last), media_type)
    whole = "/".join([host, *tamed, name])
    is_long = len(whole) > _LONGEST_PATH or len(folders) > _MOST_FOLDERS
    is_long |= any(len(part) > _MOST_LETTERS for part in (*tamed, name))
    return None if is_long else whole


def _tame(part: str) -> str:
    """A part of a path that is a plain name wherever it is put.

    >>> [_tame(part) for part in ("a b", "..", "", "%2e%2e", "nul.txt", "_", ".git")]
    ['a_b', '_.', '_empty', '_2e_2e', '_nul.txt', '__', '_git']
    """
    name = _UNSAFE.sub("_", part).rstrip(".") or ("_." if part else "_empty")
    if name.startswith("."):
        name = f"_{name[1:]}"
    if _RESERVED.match(name) or name == _OVERFLOW:
        name = f"_{name}"
    return name


def _with_ending(name: str, media_type: str) -> str:
    """A name by which a browser takes the file for what it is."""
    endings = _ENDINGS.get(media_type, ())
    if endings:
        return name if name.lower().endswith(endings) else name + endings[0]
    return name + _plain_ending(media_type) if _SHOWN.search(name) else name


def _plain_ending(media_type: str) -> str:
    return guess_extension(media_type) or (".txt" if media_type.startswith("text/") else ".bin")


def _ending(url: Url, media_type: str) -> str:
    return _ENDINGS[media_type][0] if media_type in _ENDINGS else _plain_ending(media_type)
