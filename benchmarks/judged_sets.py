"""Collections in which people said what belongs together, from packages of Debian and of PyPI.

    semanlink   bookmarks of articles and papers with titles and notes, each with the tags that a person gave
                it (PyPI: cherche)
    debtags     descriptions of packages, with the tags that Debian's people gave them
    see also    manual pages, with those that their authors refer to
    lee         news whose likeness readers judged, among others (PyPI: gensim; Lee, Pincombe, Welsh 2005)

Questions are keywords (a tag: what has it), sentences (a title: what else has its tags) and long texts (a
note or description: the same). One half of the questions, drawn by their texts, is for choosing, the other
apart. With them come questions of FAQs, whose answers stand below them, and the synopses of manual pages.
"""

import gzip
import json
import random
import re
import tarfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from html import unescape
from pathlib import Path
from typing import Any
from zlib import crc32

from benchmarks.question_sets import Question, QuestionSet, page_of, perl_faq, said
from gossamer.search.fields import IndexedPage

_MOST = 250
_FEW, _MANY = 3, 40
"""A tag of fewer pages is a name, of more it says little."""


def judged_sets(packages: Path, *, apart: bool) -> Iterator[QuestionSet]:
    """The sets of packages that are there: PyPI's in a folder, Debian's where Debian puts them."""
    yield from _semanlink(packages, apart)
    yield from _debtags(apart)
    yield from _faqs() if apart else perl_faq()
    yield from _see_also(apart)
    if not apart:
        yield from _lee(packages)
        yield from _manual_pages()


def _semanlink(packages: Path, apart: bool) -> Iterator[QuestionSet]:
    found = next(iter(packages.glob("cherche-*.tar.gz")), None)
    if found is None:
        print(f"{packages} has no cherche-*.tar.gz (pip download cherche); left out")
        return
    with tarfile.open(found) as archive:
        folder = f"{found.name.removesuffix('.tar.gz')}/cherche/data/semanlink"
        docs: list[dict[str, Any]] = json.load(_member(archive, f"{folder}/docs.json"))
        names: dict[str, dict[str, Any]] = json.load(_member(archive, f"{folder}/tags.json"))
    docs = [one for one in docs if len(one["title"] or "") + len(one["comment"] or "") > 120]
    pages = [
        page_of(f"semanlink/{number}", one["title"] or "", one["comment"] or "")
        for number, one in enumerate(docs)
    ]
    labels = {tag: " ".join(one.get("prefLabel") or ()) for tag, one in names.items()}
    yield from _by_tags("semanlink", pages, [{*one["tag"]} for one in docs], labels.get, 2, apart)


def _member(archive: tarfile.TarFile, name: str) -> Any:
    return archive.extractfile(name)


def _debtags(apart: bool) -> Iterator[QuestionSet]:
    names = said("apt-cache", "pkgnames").split()
    drawn = random.Random(2).sample(sorted(names), min(12_000, len(names)))
    pages, tags = list[IndexedPage](), list[set[str]]()
    for record in said("apt-cache", "show", "--no-all-versions", *drawn).split("\n\n"):
        text = re.search(r"^Description(?:-en)?: (.*)\n((?: .*\n?)+)", record, re.MULTILINE)
        given = re.search(r"^Tag: (.*\n(?: .*\n)*)", record, re.MULTILINE)
        if text and given:
            body = re.sub(r"^ \.?", "", text[2], flags=re.MULTILINE)
            pages.append(page_of(f"debtags/{len(pages)}", text[1], body))
            tags.append({one.strip() for one in given[1].replace("\n", " ").split(",")})
    if pages:
        yield from _by_tags("debtags", pages, tags, _tag_words, 6, apart)


def _tag_words(tag: str) -> str:
    """
    >>> _tag_words("works-with::image:raster")
    'works with image raster'
    """
    return re.sub(r"\W+", " ", tag).strip()


def _by_tags(
    name: str,
    pages: Sequence[IndexedPage],
    tags: Sequence[set[str]],
    words: Callable[[str], str | None],
    shared: int,
    apart: bool,
) -> Iterator[QuestionSet]:
    having = defaultdict[str, set[int]](set)
    for number, some in enumerate(tags):
        for tag in some:
            having[tag].add(number)
    telling = {tag for tag, some in having.items() if _FEW <= len(some) <= _MANY}
    keywords = [
        Question(text, frozenset(having[tag])) for tag in sorted(telling) if (text := words(tag))
    ]
    alike = [_alike(number, tags, having, shared) for number in range(len(pages))]
    sentences = [
        Question(page.title, others, number)
        for number, (page, others) in enumerate(zip(pages, alike, strict=True))
        if others and len(page.title.split()) > 3
    ]
    long = [
        Question(page.main_text, others, number)
        for number, (page, others) in enumerate(zip(pages, alike, strict=True))
        if others and len(page.main_text.split()) > 40
    ]
    for kind, questions in (("keywords", keywords), ("sentences", sentences), ("long", long)):
        half = [question for question in questions if crc32(question.text.encode()) % 2 == apart]
        drawn = random.Random(3).sample(half, min(_MOST, len(half)))
        yield QuestionSet(f"{name}, {kind}", pages, drawn)


def _alike(
    number: int, tags: Sequence[set[str]], having: dict[str, set[int]], shared: int
) -> frozenset[int]:
    """Pages that share so many tags, more than half of both."""
    own = {tag for tag in tags[number] if len(having[tag]) <= 500}
    common = Counter(other for tag in own for other in having[tag] if other != number)
    return frozenset(
        other
        for other, count in common.items()
        if count >= shared and 2 * count > max(len(own), len(tags[other]))
    )


def _lee(packages: Path) -> Iterator[QuestionSet]:
    found = next(iter(packages.glob("gensim-*.whl")), None)
    if found is None:
        print(f"{packages} has no gensim-*.whl (pip download gensim); left out")
        return
    with zipfile.ZipFile(found) as archive:
        folder = "gensim/test/test_data"
        read = lambda name: archive.read(f"{folder}/{name}").decode("utf-8", "replace")  # noqa: E731
        texts = read("lee.cor").splitlines() + read("lee_background.cor").splitlines()
        rows = [[*map(float, row.split())] for row in read("similarities0-1.txt").splitlines()]
    pages = [page_of(f"lee/{number}", "", text) for number, text in enumerate(texts)]
    questions = [
        Question(
            texts[one],
            frozenset(other for other in range(len(rows)) if _judged(rows, one, other)),
            one,
        )
        for one in range(len(rows))
    ]
    yield QuestionSet("lee, long", pages, [question for question in questions if question.answers])


def _judged(rows: Sequence[Sequence[float]], one: int, other: int) -> bool:
    """The mean of what readers said of two news is in the upper half; the matrix may be half empty."""
    return one != other and max(rows[one][other], rows[other][one]) > 0.5


def _faqs() -> Iterator[QuestionSet]:
    """Questions that are headings, and the text up to the next heading, in which the question is not."""
    doc = Path("/usr/share/doc")
    files = [
        *doc.glob("python3*/html/faq/*.html"),
        *doc.glob("debian/FAQ/*.en.html"),
        *doc.glob("python-django-doc/html/faq/*.html"),
        *doc.glob("sqlite3/faq.html"),
    ]
    pages, questions = list[IndexedPage](), list[Question]()
    for path in sorted({path.resolve() for path in files}):
        html = path.read_text(errors="replace")
        parts = re.split(r"<h[1-4][^>]*>(.*?)</h[1-4]>", html, flags=re.DOTALL)
        for heading, body in zip(parts[1::2], parts[2::2], strict=True):
            title, text = _bare(heading), _bare(body)
            title = re.sub(r"^[\d.\s]+", "", title).rstrip("\u00b6 ")
            if len(text) < 80:
                continue
            if title.endswith("?"):
                questions.append(Question(title, frozenset([len(pages)])))
            pages.append(page_of(f"faq/{len(pages)}", "", text))
    if questions:
        drawn = random.Random(3).sample(questions, min(_MOST, len(questions)))
        yield QuestionSet("sentences, FAQs of Python, Debian, Django", pages, drawn)


def _bare(html: str) -> str:
    html = re.sub(r"(?s)<(script|style).*?</\1>", " ", html)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def _manual_pages() -> Iterator[QuestionSet]:
    files = sorted(Path("/usr/share/man/man1").glob("*.1.gz"))
    files = random.Random(4).sample(files, min(3000, len(files)))
    pages, questions = list[IndexedPage](), list[Question]()
    for path in files:
        text = gzip.decompress(path.read_bytes()).decode(errors="replace")
        parts = re.split(r'(?m)^\.S[Hh] "?([^"\n]*)"?$', text)
        said_of = dict(zip(parts[1::2], parts[2::2], strict=True))
        synopsis = _unformatted(said_of.pop("NAME", ""))
        body = _unformatted(" ".join(said_of.values()))
        _, dash, synopsis = synopsis.partition(" - ")
        if dash and len(body) > 200 and len(synopsis.split()) > 2:
            questions.append(Question(synopsis, frozenset([len(pages)])))
            pages.append(page_of(f"man/{len(pages)}", "", body))
    if questions:
        drawn = random.Random(3).sample(questions, min(_MOST, len(questions)))
        yield QuestionSet("keywords, manual pages", pages, drawn)


def _see_also(apart: bool) -> Iterator[QuestionSet]:
    """The beginning of a description asks for the pages to which its page refers."""
    pages, asked, references, places = list[IndexedPage](), [], [], defaultdict[str, set[int]](set)
    folders = (Path(f"/usr/share/man/man{section}") for section in "15678")
    for path in sorted(one for folder in folders for one in folder.glob("*.gz")):
        if path.is_symlink():
            continue
        text = gzip.decompress(path.read_bytes()).decode(errors="replace")
        parts = re.split(r'(?m)^\.S[Hh] "?([^"\n]*)"?$', text)
        said_of = dict(zip(parts[1::2], parts[2::2], strict=True))
        title, _, synopsis = _unformatted(said_of.pop("NAME", "")).partition(" - ")
        links = said_of.pop("SEE ALSO", "")
        body = " ".join(_unformatted(part) for part in said_of.values())
        if len(body) > 200:
            places[path.name.partition(".")[0].lower()].add(len(pages))
            asked.append(_unformatted(said_of.get("DESCRIPTION", "")).split())
            references.append(_references(links))
            pages.append(page_of(f"man/{len(pages)}", title, f"{synopsis}\n{body}"))
    questions = list[Question]()
    for number, (words, names) in enumerate(zip(asked, references, strict=True)):
        answers = {place for name in names for place in places.get(name, ())} - {number}
        if 1 <= len(answers) <= 15 and len(words) >= 60:
            questions.append(Question(" ".join(words[:120]), frozenset(answers), number))
    half = [question for question in questions if crc32(question.text.encode()) % 2 == apart]
    if half:
        drawn = random.Random(3).sample(half, min(120, len(half)))
        yield QuestionSet("see also, long", pages, drawn)


def _references(roff: str) -> set[str]:
    plain = re.sub(r"\\f(?:\[\w*\]|.)|[\"\\]", "", roff)
    return {name.lower() for name in re.findall(r"([A-Za-z][\w.+-]+)\s*\(\d", plain)}


def _unformatted(roff: str) -> str:
    roff = re.sub(r"(?m)^[.'](\w+|\\\").*?(?: |$)", "", roff)
    roff = re.sub(r"\\f(\[\w*\]|.)|\\[&|^%]|\\s[-+]?\d", "", roff)
    roff = roff.replace("\\-", "-").replace("\\(em", "-")
    return " ".join(re.sub(r"\\\(..|\\\*\(..|\\.", " ", roff).split())
