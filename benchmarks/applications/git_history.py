"""Git repositories with a history of some hundred commits, and what is in them."""

import hashlib
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.applications.application import OLD
from benchmarks.applications.texts import Text, texts

NEEDS = ("git",)
NAMES = ("manuals", "notes", "descriptions")
_AUTHORS = ("Anna Arndt", "Boris Blok", "Chen Cao", "Dora Diaz", "Emil Eide")
_FIRST_DAY = 1_500_000_000
_TRUNK = "refs/heads/master"


def make_repositories(folder: Path, pages: int, seed: int) -> list[str]:
    """Three bare repositories; returns the items they have: each commit, and each file as it is now.

    Commits are told by their number, files by the number of their content (`blob`), so that it does not
    matter by which of its many URLs a file is shown.
    """
    random = Random(seed)
    found = texts(pages, seed)
    items: dict[str, None] = {}
    for place, name in enumerate(NAMES):
        path = folder / f"{name}.git"
        git("init", "-q", "--bare", f"--initial-branch={_TRUNK.rpartition('/')[2]}", str(path))
        stream = _Stream(random)
        stream.write(found[place :: len(NAMES)])
        git(f"--git-dir={path}", "fast-import", "--quiet", input=stream.text())
        (path / "description").write_text(f"All {name}\n")
        items |= dict.fromkeys(_items(path))
    return list(items)


def blob_of(body: bytes) -> str:
    """The number of a content, as git has it.

    >>> blob_of(b"test content\\n")
    'd670460b4b4aece5915caf5c68d12f560a9fe3e4'
    """
    return hashlib.sha1(b"blob %d\0" % len(body) + body).hexdigest()


def git(*words: str, input: bytes = b"") -> str:
    done = subprocess.run(["git", *words], input=input, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"git {words[0]}: {done.stderr.decode()}")
    return done.stdout.decode()


def tips(folder: Path) -> frozenset[str]:
    """The latest commit of each branch of all repositories."""
    told = (
        git(f"--git-dir={path}", "rev-parse", "--branches") for path in sorted(folder.iterdir())
    )
    return frozenset(commit for one in told for commit in one.split())


def _items(path: Path) -> Iterator[str]:
    here = f"--git-dir={path}"
    commits = git(here, "rev-list", "--all").split()
    heads = git(here, "for-each-ref", "--format=%(refname)", "refs/heads").split()
    current = {
        line.split()[2] for head in heads for line in git(here, "ls-tree", "-r", head).splitlines()
    }
    objects = [line.split()[0] for line in git(here, "rev-list", "--objects", "--all").splitlines()]
    kinds = git(here, "cat-file", "--batch-check", input="\n".join(objects).encode()).splitlines()
    blobs = {line.split()[0] for line in kinds if " blob " in line}
    yield from (f"commit:{commit}" for commit in commits)
    yield from (f"blob:{blob}" for blob in sorted(current))
    yield from (f"{OLD}blob:{blob}" for blob in sorted(blobs - current))


class _Stream:
    """Commits in the language of `git fast-import`."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._parts: list[bytes] = []
        self._day = _FIRST_DAY
        self._marks = 0
        self._files: dict[str, list[str]] = {}

    def text(self) -> bytes:
        return b"".join(self._parts)

    def write(self, found: list[Text]) -> None:
        """Each text becomes a file; some are changed later; a few changes stay on a branch."""
        self._commit(_TRUNK, "README", ["Texts that every Debian has.", "One file for each."])
        for number, text in enumerate(found):
            path = f"{'abcdefgh'[number % 8]}/{text.title.replace(' ', '_')}.txt"
            self._commit(_TRUNK, path, [text.title.title(), *text.paragraphs])
            while self._random.random() < 0.4:
                self._change(_TRUNK)
            if number % 30 == 29:
                self._tag(f"v1.{number // 30}")
        self._parts.append(b"reset refs/heads/next\nfrom %s\n\n" % _TRUNK.encode())
        for _ in range(5):
            self._change("refs/heads/next")

    def _change(self, branch: str) -> None:
        path = self._random.choice(sorted(self._files))
        lines = list(self._files[path])
        lines[self._random.randrange(len(lines))] += f" Changed for the {self._marks}th time."
        self._commit(branch, path, lines)

    def _commit(self, branch: str, path: str, lines: list[str]) -> None:
        self._marks += 1
        self._day += self._random.randrange(600, 200_000)
        self._files[path] = lines
        who = self._random.choice(_AUTHORS)
        mail = f"{who.split()[0].lower()}@example.org"
        says = f"{path}: {lines[-1][:60]}\n\n{self._random.choice(lines)}\n".encode()
        body = ("\n".join(lines) + "\n").encode()
        self._parts.append(
            f"commit {branch}\nmark :{self._marks}\ncommitter {who} <{mail}> {self._day} +0000\n".encode()
            + b"data %d\n%s\n" % (len(says), says)
            + b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(body), body)
        )

    def _tag(self, name: str) -> None:
        says = f"Version {name}\n".encode()
        tagger = f"{_AUTHORS[0]} <anna@example.org> {self._day} +0000"
        self._parts.append(
            f"tag {name}\nfrom :{self._marks}\ntagger {tagger}\n".encode()
            + b"data %d\n%s\n" % (len(says), says)
        )
