"""Whatever happens to a file that a crawl leaves behind: commands are right, or say what is wrong.

A finished crawl with texts, a text index and a ranked graph; its files are damaged in turn, and commands that
read are run. What they say is what they said before, or one line and a status. A sample in `make test`, 500
damages in `make soak` (GOSSAMER_DAMAGES=all), each under all commands. To draw others:

    GOSSAMER_DAMAGES=drawn GOSSAMER_DAMAGE_SEED=any GOSSAMER_OUTPUT_DAMAGES=500 pytest -s FILE

Then files of every kind are damaged, those of the state and the settings too, each under `verify`, one
command that reads this kind and two of all; and what `verify` does not see is a failure.
"""

import os
import random
import re
import shutil
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest

from gossamer.lab import ServedWeb, Web, serve
from gossamer.lab.behaviours import Duplicates
from tests.copying import copy_crawl
from tests.dashboard.faces import Visitor
from tests.engine.engine_forks import Begun, Ended, command
from tests.patience import PATIENCE

IS_THOROUGH = os.environ.get("GOSSAMER_DAMAGES") == "all"
IS_DRAWN = os.environ.get("GOSSAMER_DAMAGES") == "drawn"
COUNT = int(os.environ.get("GOSSAMER_OUTPUT_DAMAGES", "500" if IS_THOROUGH or IS_DRAWN else "8"))
SEED = os.environ.get("GOSSAMER_DAMAGE_SEED", "output")

KINDS = (
    *("warc/", "pages/", "links/", "text/", "index/", "graph/", "state/"),
    *(("", "state/status.json", "state/control/") if IS_DRAWN else ()),
)
_LEFT_OUT = ("lock", ".lock", "control.sock", "timeline")
"""Locks say nothing, and the curve of the status is of the moment: the next run writes it again."""


Words = tuple[str, ...]


class Made(NamedTuple):
    """A crawl, another one, and what commands say of the first."""

    out: Path
    other: Path
    commands: dict[str, tuple[Words, ...]]
    """By their names; one that writes is followed by one that reads what was written."""
    right: dict[str, tuple[int, str]]


def _make(served: ServedWeb, out: Path, pages: int, partitions: int) -> None:
    steps: list[tuple[str, ...]] = [
        (
            *("crawl", served.seed_url, "-o", str(out), "-q", "--partitions", str(partitions)),
            *("--dns", served.dns_address, "--allow-private", "--delay", "0", "--scope", "all"),
            *("--max-pages", str(pages), "--set", "store.rows=400"),
            *("--set", "store.warc_size=100000", "--set", "politeness.retries=0"),
        ),
        ("text", str(out), "-q", "--workers", "1"),
        ("index", str(out), "-q", "--workers", "1"),
        ("graph", "build", str(out), "-q"),
        ("graph", "rank", str(out), "-q"),
        ("control", str(out), "block", "elsewhere.test"),
    ]
    for step in steps:
        done = command(*step)
        assert done.status == 0, f"{step}: {done.err}"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    folder = tmp_path_factory.mktemp("damage")
    out, other = folder / "out", folder / "other"
    web = Web(seed=11, pages=60, hosts=6, behaviours=(Duplicates(),))
    with serve(web) as served:
        _make(served, out, 50, 2)
        _make(served, other, 40, 2)
        url = served.seed_url
    commands = _commands(url, _word(other, url))
    work = folder / "work"
    right = {}
    for name in commands:
        copy_crawl(out, work)
        ended = _run(commands[name], work)
        right[name] = _said(ended, work)
        shutil.rmtree(work)
        assert right[name][0] == 0, f"{name}: {right[name]} {ended.err}"
    yield Made(out, other, commands, right)
    shutil.rmtree(folder, ignore_errors=True)


def _commands(url: str, word: str) -> dict[str, tuple[Words, ...]]:
    search = ("search", "OUT", word, "--json")
    pages = ("export", "OUT", "FILE.jsonl", "--table", "pages")
    edges = ("graph", "export", "OUT", "-o", "FILE.edges", "--format", "edges")
    both: dict[str, tuple[Words, ...]] = {
        "verify": (("verify", "OUT"),),
        "links in": (("links", "OUT", "in", url),),
        "links out": (("links", "OUT", "out", url),),
        "report": (("report", "OUT", "--json"),),
        "duplicates": (("duplicates", "OUT", "--json"),),
        "explain": (("explain", url, "--crawl", "OUT", "--offline"),),
        "history": (("history", url, "--crawl", "OUT", "--json"),),
        "pages": (pages,),
        "links": (("export", "OUT", "FILE.csv", "--table", "links"),),
        "wacz": (("export", "OUT", "FILE.wacz"),),
        "mirror": (("export", "OUT", "FILE", "--format", "mirror"),),
        "search": (search,),
        "text": (("text", "OUT", "-q", "--workers", "1"),),
        "index": (("index", "OUT", "-q", "--workers", "1"),),
    }
    drawn: dict[str, tuple[Words, ...]] = {
        "texts": (("export", "OUT", "FILE.jsonl", "--table", "text"),),
        "status": (("status", "OUT", "--json"),),
        "rules": (("rules", "OUT", "--json"),),
        "orders": (("control", "OUT", "state"),),
        "edges": (edges,),
        "graph stats": (("graph", "stats", "OUT", "--json"),),
        "text then": (both["text"][0], ("export", "OUT", "FILE.jsonl", "--table", "text")),
        "index again": ((*both["index"][0], "--rebuild"), search),
        "graph again": (("graph", "build", "OUT", "-q", "--rebuild"), edges),
        "graph rank": (("graph", "rank", "OUT", "-q"), ("graph", "rank", "OUT", "--top", "5")),
        "resume": (("resume", "OUT", "-q", "--json"), pages),
        "served": (("SERVED", "OUT", url, word),),
    }
    return both | drawn if IS_DRAWN else both


def _word(crawl: Path, url: str) -> str:
    """A word that pages have."""
    from gossamer import open as open_crawl

    words = (document.title.split() for document in open_crawl(crawl) if document.title)
    return next(word for some in words for word in some if word.isalpha() and len(word) > 3)


def _run(steps: tuple[Words, ...], work: Path) -> Ended:
    """One after the other, as long as they succeed."""
    shutil.rmtree(work.parent / "made", ignore_errors=True)
    (work.parent / "made").mkdir()
    ended = Ended(0, "", "")
    for words in steps:
        if not ended.status:
            ended = _run_one(words, work)
    return ended


def _run_one(words: Words, work: Path) -> Ended:
    if words[0] == "SERVED":
        return _ask_server(work, *words[2:])
    file = str(work.parent / "made" / "file")
    return command(
        *(
            word.replace("OUT", str(work)) if word == "OUT" else word.replace("FILE", file)
            for word in words
        )
    )


def _ask_server(work: Path, url: str, word: str) -> Ended:
    """Rows that the dashboard shows; the status is 1 where it says what is wrong, 2 where it fails."""
    begun = Begun("serve", str(work), "--port", "0", "--no-password")
    try:
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(r"http://127\.0\.0\.1:\d+", begun.out + begun.err)):
            if begun.poll() is not None or time.monotonic() > deadline:
                return begun.end()
            time.sleep(0.01)
        told, rows = list[str](), list[str]()
        for path in (
            *("/api/pages?sort=url", "/api/links", "/api/graph", "/api/hosts"),
            *(f"/api/search?{urlencode({'q': word})}", f"/api/page?{urlencode({'url': url})}"),
        ):
            answer = Visitor(found[0]).get(path)
            if answer.status >= 500 or "Traceback" in begun.err:
                return Ended(2, "", f"{path}: {answer.status} {begun.err}")
            said = answer.json if answer.status == 200 else {}
            if answer.status != 200 or _tells(said):
                told.append(f"{path}: {answer.text}")
            rows.append(f"{path}: {_without_times(said)}")
    finally:
        begun.kill()
    return Ended(1, "", told[0].replace("\n", " ")) if told else Ended(0, "\n".join(rows), "")


def _tells(said: dict[str, Any]) -> bool:
    """Does the dashboard say that something is wrong?"""
    return any(map(said.get, _DAMAGE)) or bool((said.get("record") or {}).get("trouble"))


def _without_times(said: Any) -> Any:
    """What a dashboard says, but for how long that took."""
    if isinstance(said, dict):
        return {name: _without_times(one) for name, one in said.items() if name not in _OF_NOW}
    return [_without_times(one) for one in said] if isinstance(said, list) else said


_OF_NOW = ("seconds", "taken", "at", "now")
_DAMAGE = ("damaged", "problem", "shape_problem", "ranks_problem")
"""Fields in which the dashboard says what is wrong."""


def _said(ended: Ended, work: Path) -> tuple[int, str]:
    """The status, what was said, and what was written; times and counters of this run apart."""
    found = sorted((work.parent / "made").rglob("*"))
    said = re.sub(r"[\d,]+ bytes", "so many bytes", ended.out.replace(str(work.parent), "."))
    said = re.sub(r'"time":[\d.]+}', '"time":now}', said)  # of a verdict
    return ended.status, said + "".join(map(_content, filter(Path.is_file, found)))


def _content(path: Path) -> str:
    """What is in a file; of a package, all but when it was made."""
    if path.suffix != ".wacz":
        return path.read_bytes().decode(errors="replace")
    with zipfile.ZipFile(path) as package:
        entries = [one for one in package.infolist() if "datapackage" not in one.filename]
        return str([(one.filename, one.CRC) for one in entries])


# Damages.


def _flip(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(3):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def _cut(path: Path, chance: random.Random) -> None:
    os.truncate(path, chance.randrange(path.stat().st_size))


def _swap(path: Path, sibling: Path) -> None:
    aside = path.with_name(path.name + ".aside")
    path.rename(aside)
    sibling.rename(path)
    aside.rename(sibling)


Damage = Callable[[Path, Path, Path, random.Random], bool]
"""Damages a file of a copy, given the other crawl; did it change anything?"""


def _siblings(path: Path) -> list[Path]:
    return [
        one
        for one in sorted(path.parent.iterdir())
        if one != path
        and one.is_file()
        and one.suffix == path.suffix
        and one.read_bytes() != path.read_bytes()
    ]


def _swapped(out: Path, file: Path, other: Path, chance: random.Random) -> bool:
    found = _siblings(out / file)
    if found:
        _swap(out / file, chance.choice(found))
    return bool(found)


def _replaced(out: Path, file: Path, other: Path, chance: random.Random) -> bool:
    found = [one for one in sorted((other / file).parent.glob(f"*{file.suffix}")) if one.is_file()]
    found = [one for one in found if one.read_bytes() != (out / file).read_bytes()]
    if found:
        shutil.copy(chance.choice(found), out / file)
    return bool(found)


def _simple(act: Callable[[Path, random.Random], object]) -> Damage:
    def befall(out: Path, file: Path, other: Path, chance: random.Random) -> bool:
        if not (out / file).stat().st_size:
            return False
        act(out / file, chance)
        return True

    return befall


DAMAGES: dict[str, Damage] = {
    "deleted": _simple(lambda path, _: path.unlink()),
    "emptied": _simple(lambda path, _: os.truncate(path, 0)),
    "cut": _simple(_cut),
    "flipped": _simple(_flip),
    "swapped": _swapped,
    "another crawl's": _replaced,
}


def _files(out: Path) -> list[Path]:
    found = (path.relative_to(out) for path in sorted(out.rglob("*")) if path.is_file())
    return [one for one in found if not one.name.endswith(_LEFT_OUT)]


def _is_of(kind: str, file: Path) -> bool:
    """Those without a folder are a kind of their own."""
    return str(file).startswith(kind) if kind else len(file.parts) == 1


def _cases(out: Path, count: int, chance: random.Random) -> Iterator[tuple[Path, str]]:
    """Every kind of file as often as any other."""
    files = _files(out)
    by_kind = {kind: [one for one in files if _is_of(kind, one)] for kind in KINDS}
    names = [*DAMAGES]
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        yield chance.choice(by_kind[kind]), names[number // len(KINDS) % len(names)]


def _look(made: Made, work: Path, name: str) -> str:
    """Run a command on a damaged copy: is it `right`, `told`, or a fault?"""
    ended = _run(made.commands[name], work)
    if "Traceback" in ended.err or ended.status not in (0, 1) or "panicked" in ended.err:
        return f"traceback: {ended.status} {ended.err[-900:]}"
    if ended.status:
        is_told = len(ended.complaints) == 1 or (name == "verify" and "BAD" in ended.out)
        return "told" if is_told else f"not one line: {ended.err[-600:]} {ended.out[-300:]}"
    said, right = _said(ended, work)[1], made.right[name][1]
    if name == "verify":
        return "unseen" if said == right else "noted"
    return "right" if said == right else f"silently wrong: {_difference(said, right)}"


def _difference(said: str, right: str) -> str:
    """Where it begins."""
    pairs = enumerate(zip(said, right, strict=False))
    at = next((place for place, (one, other) in pairs if one != other), min(len(said), len(right)))
    return f"{said[max(0, at - 100) : at + 100]!r} instead of {right[max(0, at - 20) : at + 100]!r}"


_READERS = frozenset(
    {
        *("links in", "links out", "report", "duplicates", "explain", "history", "pages", "links"),
        *("wacz", "mirror", "search", "texts", "status", "rules", "edges", "graph stats", "served"),
    }
)
"""Commands that change nothing; the others have each a copy of its own."""


@pytest.mark.timeout(0 if IS_THOROUGH or IS_DRAWN else 900)
def test_every_command_is_right_or_says_what_is_wrong(made: Made, tmp_path: Path) -> None:
    chance = random.Random(SEED)
    counts, faults, unseen = Counter[str](), [], []
    for number, (file, damage) in enumerate(_cases(made.out, COUNT, chance)):
        names = [*made.commands] if IS_THOROUGH else ["verify", *_some(file, chance)]
        answers = {}
        seed, previous = chance.random(), ""
        for name in names:
            work = tmp_path / "work"
            if previous not in _READERS or name not in _READERS:
                shutil.rmtree(work, ignore_errors=True)
                copy_crawl(made.out, work)
                if not DAMAGES[damage](work, file, made.other, random.Random(seed)):
                    break
            answers[name], previous = _look(made, work, name), name
        shutil.rmtree(tmp_path / "work", ignore_errors=True)
        counts.update(answer.partition(":")[0] for answer in answers.values())
        counts["damages"] += bool(answers)
        bad = {name: said for name, said in answers.items() if ":" in said}
        faults += [f"{number}: {file} {damage}: {name}: {said}" for name, said in bad.items()]
        if answers.get("verify") == "unseen" and not _may_be_unseen(file, damage):
            unseen.append(f"{number}: {file} {damage} {answers}")
        if bad and (IS_THOROUGH or IS_DRAWN):
            print("\n".join(faults[-len(bad) :]), flush=True)
    print(dict(counts), "unseen by verify:", unseen)
    assert not faults, "\n\n".join(faults)
    assert not (unseen and IS_DRAWN), "unseen by verify: " + "\n".join(unseen)


def _may_be_unseen(file: Path, damage: str) -> bool:
    """Nothing is lost by it, and every answer is right, as docs/durability.md says.

    Bytes of a lookup that hold no entry are read by nobody, and a lookup without a directory is as after a
    crash: it is filled again from the log beside it. So is one whose directory is of another state of that
    log. All entries have checksums.
    """
    is_as_after_a_crash = damage in ("deleted", "another crawl's")
    return file.suffix == ".buckets" or (file.suffix == ".directory" and is_as_after_a_crash)


_READ_BY = {
    "warc": ["wacz", "mirror", "history"],
    "pages": ["duplicates", "explain", "report", "pages", "links in", "history", "mirror", "wacz"],
    "links": ["links in", "links out", "report", "links", "explain"],
    "text": ["text", "index"],
    "index": ["search", "index"],
    "graph": ["links in"],
}
"""Commands that read a kind of file …"""
_READ_BY_TOO = {
    "pages": ["served"],
    "links": ["served"],
    "text": ["texts", "text then", "index again"],
    "index": ["served"],
    "graph": ["edges", "graph stats", "graph again", "graph rank", "served"],
    "state": ["resume", "status", "orders"],
    "crawl.toml": ["resume", "explain"],
}
"""… and those that are only drawn."""
_ALL = [*_commands("", "")]


def _some(file: Path, chance: random.Random) -> list[str]:
    """Two commands, of those that read this file if there are any."""
    names = _READ_BY.get(file.parts[0], ["report", "search", "wacz", "explain"])
    if not IS_DRAWN:
        return chance.sample(names, min(2, len(names)))
    others = chance.sample([one for one in _ALL if one != "verify"], 3)
    own = chance.choice(names + _READ_BY_TOO.get(file.parts[0], []))
    return [own, *[one for one in others if one != own][:2]]
