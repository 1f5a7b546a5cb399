"""Texts that every Debian has: manual pages, and the descriptions of installed packages.

Which ones depends on what is installed: two machines have different texts, one machine has the same
ones each time.
"""

import gzip
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

_MANUALS = Path("/usr/share/man")
_PACKAGES = Path("/var/lib/dpkg/status")
_SECTIONS = ("7", "5", "8", "1", "3")
_ALIKE = 12
"""No more pages than these begin with the same word: large families of commands say much the same."""
_LEAST, _MOST = 3, 24


class Text(NamedTuple):
    title: str
    paragraphs: tuple[str, ...]


def texts(count: int, seed: int) -> list[Text]:
    """So many different texts, drawn by a seed."""
    found = list(_all_texts())
    Random(seed).shuffle(found)
    if len(found) < count:
        raise SystemExit(f"this machine has texts for {len(found)} pages only; ask for fewer pages")
    return found[:count]


def words_of(count: int, seed: int) -> list[str]:
    """The words of so many texts, each once, in the order of the alphabet: to make names of."""
    said = " ".join(paragraph for text in texts(count, seed) for paragraph in text.paragraphs)
    return sorted(set(re.findall("[a-z]{4,12}", said.lower())))


@cache
def _all_texts() -> tuple[Text, ...]:
    """Each title and each beginning once."""
    by_title: dict[str, Text] = {}
    beginnings: set[str] = set()
    for text in [*_manuals(), *_descriptions()]:
        if text.title not in by_title and text.paragraphs[0] not in beginnings:
            by_title[text.title] = text
            beginnings.add(text.paragraphs[0])
    return tuple(by_title.values())


def _manuals() -> Iterator[Text]:
    families: Counter[str] = Counter()
    for section in _SECTIONS:
        for path in sorted(_MANUALS.glob(f"man{section}/*.gz")):
            title = path.name.removesuffix(".gz").rpartition(".")[0]
            family = re.split(r"[-_.:]", title.lower())[0][:6]
            families[family] += 1
            if families[family] <= _ALIKE:
                paragraphs = _paragraphs(_plain(gzip.decompress(path.read_bytes())))
                if len(paragraphs) >= _LEAST:
                    yield Text(_title(title), paragraphs)


def _descriptions() -> Iterator[Text]:
    for entry in _PACKAGES.read_text(errors="replace").split("\n\n"):
        name = re.search(r"^Package: (.+)$", entry, re.MULTILINE)
        said = re.search(r"^Description: (.+(?:\n .*)*)", entry, re.MULTILINE)
        if name and said:
            paragraphs = _paragraphs(said[1].replace("\n .\n", "\n\n").replace("\n ", "\n"))
            if len(paragraphs) >= _LEAST:
                yield Text(_title(f"package {name[1]}"), paragraphs)


def _title(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", " ", name).strip().lower()


_ESCAPES = (
    (r"\-", "-"),
    (r"\&", ""),
    (r"\(aq", "'"),
    (r"\(cq", "'"),
    (r"\(bu", "*"),
    (r"\e", "\\"),
)


def _plain(source: bytes) -> str:
    """The words of a manual page without its macros; far from perfect, and good enough to be read."""
    text = source.decode(errors="replace")
    for written, meant in _ESCAPES:
        text = text.replace(written, meant)
    text = re.sub(r"\\f(\[\w*\]|\(..|.)|\\[s][-+]?\d|\\\(..|\\.", "", text)
    text = re.sub(r"^[.'](?:B|I|BR|IR|RB|RI|BI|IB|SM)\s+", "", text, flags=re.MULTILINE)
    return re.sub(r"^[.'].*$", "\n", text, flags=re.MULTILINE)


def _paragraphs(text: str) -> tuple[str, ...]:
    """Paragraphs of some length, without signs that a wiki or a shop would take for markup."""
    lines = (
        " ".join(re.sub(r"[^\w .,;:!?()'-]+", " ", part).split()) for part in text.split("\n\n")
    )
    return tuple(line[:1200] for line in lines if len(line) > 60)[:_MOST]
