"""public-inbox: the archive of a mailing list, by message, by thread (flat, nested), as mbox and feed."""

import hashlib
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from pathlib import Path
from random import Random

from benchmarks.applications import git_history
from benchmarks.applications.application import Application, Origin, Reply
from benchmarks.applications.origin import behind_socket
from benchmarks.applications.texts import Text, texts
from benchmarks.applications.web_server import await_socket, ended

_SHOWN = re.compile(r"/list/([^/?]+@[^/?]+)/(raw)?$")
_THREAD = re.compile(r"/list/[^/?]+@[^/?]+/[Tt]/$")
_MESSAGE = re.compile(rb'href="\.\./\.\./([^"/]+)/">permalink<')
_USEFUL = re.compile(r"/list/(\?t=\d+|[^/?]+@[^/?]+/(T/)?)?$")
_AUTHORS = ("Anna Arndt", "Boris Blok", "Chen Cao", "Dora Diaz", "Emil Eide")
_FIRST_DAY = 1_420_000_000
_THREADS = 12
"""Threads that somebody still answers to."""


class PublicInbox(Application):
    """Content: each message, by itself, as it was sent, or in its thread.

    Threads, flat and nested, are named by each of their messages; mailboxes, feeds and lists of topics
    before any moment are made from the same messages.
    """

    name = "inbox"
    packages = "public-inbox git"
    needs = ("public-inbox-httpd", "public-inbox-init", "public-inbox-index", *git_history.NEEDS)
    is_set_aside = True
    start = "/list/"

    def fill(self, root: Path, pages: int, seed: int) -> list[str]:
        archive = root / "list.git"
        words = ("list", str(archive), "http://inbox.test/list", "list@example.org")
        _run(root, "public-inbox-init", "-V1", *words)
        messages = list(_messages(texts(pages, seed), Random(seed)))
        stream = b"".join(_commit(*one) for one in enumerate(messages, 1))
        git_history.git(f"--git-dir={archive}", "fast-import", "--quiet", input=stream)
        _run(root, "public-inbox-index", str(archive))
        return [f"message:{name}" for name, _ in messages]

    @contextmanager
    def served(self, root: Path) -> Iterator[Origin]:
        with tempfile.TemporaryDirectory(prefix="app") as work:
            command = ["public-inbox-httpd", "-W0", "-l", f"{work}/web"]
            quiet = subprocess.DEVNULL
            process = subprocess.Popen(
                command, stdin=quiet, stdout=quiet, stderr=quiet, env=_environment(root)
            )
            with ended(process):
                await_socket(Path(work, "web"))
                yield behind_socket(Path(work, "web"), "inbox.test")

    def item_of(self, target: str, reply: Reply) -> str | None:
        found = _SHOWN.match(target)
        return f"message:{found[1]}" if found else None

    def others_of(self, target: str, reply: Reply) -> tuple[str, ...]:
        names = _MESSAGE.findall(reply.body) if _THREAD.match(target) else []
        return tuple(f"message:{name.decode()}" for name in dict.fromkeys(names))

    def is_useful(self, target: str) -> bool:
        return bool(_USEFUL.match(target))


def _messages(found: list[Text], random: Random) -> Iterator[tuple[str, str]]:
    """Names and texts of messages, of which most answer others."""
    threads: list[list[tuple[str, Text]]] = []
    moment = _FIRST_DAY
    for number, text in enumerate(found):
        moment += random.randrange(600, 100_000)
        who, name = random.choice(_AUTHORS), f"m{number}.{moment}@example.org"
        answers = bool(threads) and random.random() < 0.7
        thread = random.choice(threads[-_THREADS:]) if answers else []
        said, way, title = list(text.paragraphs), "", text.title
        if answers:
            before, other = random.choice(thread)
            said.insert(0, f"> {other.paragraphs[0]}")
            title = f"Re: {thread[0][1].title}"
            way = f"In-Reply-To: <{before}>\nReferences: <{before}>\n"
        else:
            threads.append(thread)
        thread.append((name, text))
        yield (
            name,
            f"From: {who} <{who.split()[0].lower()}@example.org>\nTo: list@example.org\n"
            f"Subject: {title}\nMessage-ID: <{name}>\nDate: {formatdate(moment)}\n{way}\n"
            + "\n\n".join(said)
            + "\n",
        )


def _commit(number: int, message: tuple[str, str]) -> bytes:
    name, text = message
    digest, body = hashlib.sha1(name.encode()).hexdigest(), text.encode()
    who = f"list <list@example.org> {_FIRST_DAY + number} +0000"
    return (
        (
            f"commit refs/heads/master\nmark :{number}\ncommitter {who}\ndata 1\n.\n"
            f"M 100644 inline {digest[:2]}/{digest[2:]}\ndata {len(body)}\n"
        ).encode()
        + body
        + b"\n"
    )


def _run(root: Path, *words: str) -> None:
    done = subprocess.run(
        words, env=_environment(root), stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{words[0]}: {done.stderr.decode()[-2000:]}")


def _environment(root: Path) -> dict[str, str]:
    return {**os.environ, "HOME": str(root), "PI_CONFIG": str(root / "config")}
