"""Questions of three kinds whose answers are known, from packages of Debian.

    sentences   asked as people ask, about documentation sites (written for this benchmark, with the pages
                that answer them), and the questions of Perl's FAQ, each answered by its section
    keywords    entries of the indexes of Texinfo manuals, made by their authors: the nodes that they name
    synopses    the one-line description of a package: its long description

Which package is missing is said, and its set left out. Weights may be chosen by the usual sets; those apart
are looked at once, when they are chosen.
"""

import gzip
import random
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.crawled_sites import crawled
from benchmarks.sites import SITES, Site
from gossamer.search.build.collection import read_collection
from gossamer.search.fields import IndexedPage

_MOST = 250
"""Questions of a set; more take long, and say the same."""
_SHORTEST = 80
"""Characters of a section that says something."""
SEEN_SITES = (
    Site("sqlite3-doc", Path("/usr/share/doc/sqlite3"), 700),
    Site("debian-handbook", Path("/usr/share/doc/debian-handbook/html/en-US"), 400),
)
SECOND_SITES = (
    Site("python-django-doc", Path("/usr/share/doc/python-django-doc/html"), 1500),
    Site("git-doc", Path("/usr/share/doc/git/html"), 500),
)
"""Set apart once; what was seen there may have had a say since."""
APART_SITES = (Site("apache2-doc", Path("/usr/share/doc/apache2-doc/manual/en"), 300),)
_QUESTIONS = Path(__file__).with_name("questions")


class Question(NamedTuple):
    text: str
    answers: frozenset[int]
    """The places of pages that answer it."""
    itself: int = -1
    """The place of the page that the question is taken from: it is not looked for."""


class QuestionSet(NamedTuple):
    name: str
    pages: Sequence[IndexedPage]
    questions: Sequence[Question]


def question_sets(folder: Path, *, apart: bool) -> Iterator[QuestionSet]:
    """The sets that this machine has; sites are crawled into the folder."""
    if apart:
        yield from _of_sites(folder / "apart", APART_SITES)
        yield from _of_manuals(
            "keywords, other manuals", ("gnupg", "gettext", "nettle", "rluserman")
        )
        return
    yield from _of_sites(folder, SITES[:2])
    yield from _of_sites(folder / "seen", SEEN_SITES)
    yield from _of_sites(folder / "second", SECOND_SITES)
    yield from perl_faq()
    manuals = ("coreutils", "wget", "find", "grep", "sed", "diffutils", "bc", "gzip")
    yield from _of_manuals("keywords", manuals)
    yield from _of_packages()


def _of_sites(folder: Path, sites: Sequence[Site]) -> Iterator[QuestionSet]:
    crawl = crawled(folder, sites)
    if crawl is None:
        return
    pages = read_collection(crawl, 1_000_000, 1)
    for site in sites:
        found = [
            Question(text, frozenset(answers))
            for text, paths in _asked(site.name)
            if (answers := _ending(pages, paths))
        ]
        if found:
            yield QuestionSet(f"sentences, {site.name}", pages, found)


def _asked(site: str) -> Iterator[tuple[str, list[str]]]:
    for line in (_QUESTIONS / f"{site}.txt").read_text().splitlines():
        text, _, paths = line.partition("|")
        yield text, paths.split()


def _ending(pages: Sequence[IndexedPage], paths: Sequence[str]) -> list[int]:
    ends = tuple(f"/{path}" for path in paths)
    return [number for number, page in enumerate(pages) if page.url.endswith(ends)]


def perl_faq() -> Iterator[QuestionSet]:
    files = sorted(Path("/usr/share/perl").glob("5.*/pod/*.pod"))
    pages, questions = list[IndexedPage](), list[Question]()
    for path in files:
        if "delta" in path.stem:
            continue
        parts = re.split(
            r"^=head[12]\s+(.*)$", path.read_text(errors="replace"), flags=re.MULTILINE
        )
        for title, body in zip(parts[1::2], parts[2::2], strict=True):
            title, text = _plain(title), _plain(re.sub(r"^=\w+.*$", "", body, flags=re.MULTILINE))
            if len(text) < _SHORTEST:
                continue
            if path.stem.startswith("perlfaq") and title.endswith("?"):
                questions.append(Question(title, frozenset([len(pages)])))
            pages.append(page_of(f"perl/{path.stem}/{len(pages)}", "", text))
    yield from _set("sentences, Perl's FAQ", pages, questions, "perl-doc")


def _plain(pod: str) -> str:
    return re.sub(r"[A-Z]<+\s*(.*?)\s*>+", r"\1", pod).strip()


def _of_manuals(name: str, manuals: Sequence[str]) -> Iterator[QuestionSet]:
    pages, questions = list[IndexedPage](), list[Question]()
    for manual in manuals:
        nodes, entries = dict[str, int](), defaultdict[str, set[str]](set)
        for node, body in _nodes(manual):
            if "index" in node.lower():
                for entry, goal in re.findall(
                    r"^\* (.+?)(?: <\d+>)?:\s+([^.\n]+)\.", body, re.MULTILINE
                ):
                    entries[entry].add(goal.strip())
                continue
            title, _, text = body.strip().partition("\n")
            text = "\n".join(line for line in text.split("\n") if not line.startswith("* "))
            if len(text) >= _SHORTEST:
                nodes[node] = len(pages)
                title = re.sub(r"^[\d.A-Z]*\d[\d.]*\s+", "", title)
                pages.append(page_of(f"{manual}/{len(pages)}", title, text))
        for entry, goals in sorted(entries.items()):
            answers = frozenset(nodes[goal] for goal in goals if goal in nodes)
            if answers and len(entry.split()) > 1 and not entry.startswith("-"):
                questions.append(Question(entry.replace(",", " "), answers))
    yield from _set(name, pages, questions, "info")


def _nodes(manual: str) -> Iterator[tuple[str, str]]:
    folder = Path("/usr/share/info")
    files = sorted(folder.glob(f"{manual}.info-*.gz")) or sorted(folder.glob(f"{manual}.info.gz"))
    text = "".join(gzip.decompress(path.read_bytes()).decode(errors="replace") for path in files)
    for section in text.split("\x1f"):
        head, _, body = section.strip("\n").partition("\n")
        if head.startswith("File:") and (name := re.search(r"Node: ([^,\n]+)", head)):
            yield name[1].strip(), body


def _of_packages() -> Iterator[QuestionSet]:
    names = said("apt-cache", "pkgnames").split()
    drawn = random.Random(1).sample(sorted(names), min(4000, len(names)))
    pages, questions = list[IndexedPage](), list[Question]()
    for record in said("apt-cache", "show", "--no-all-versions", *drawn).split("\n\n"):
        found = re.search(r"^Description(?:-en)?: (.*)\n((?: .*\n?)+)", record, re.MULTILINE)
        if found and len(found[2]) > 2 * _SHORTEST:
            questions.append(Question(found[1], frozenset([len(pages)])))
            pages.append(page_of(f"package/{len(pages)}", "", found[2]))
    yield from _set("synopses", pages, questions, "Translation-en, the descriptions of packages,")


def said(*command: str) -> str:
    """What a command says; nothing where it is not installed."""
    if shutil.which(command[0]) is None:
        return ""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    return done.stdout


def _set(
    name: str, pages: list[IndexedPage], questions: list[Question], package: str
) -> Iterator[QuestionSet]:
    if not questions:
        print(f"{package} is not there; {name} are left out")
        return
    yield QuestionSet(name, pages, random.Random(3).sample(questions, min(_MOST, len(questions))))


def page_of(path: str, title: str, text: str) -> IndexedPage:
    return IndexedPage(f"http://{path}", title, main_text=text, full_text=text, language="en")
