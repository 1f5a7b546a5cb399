"""Small crawls with something in every file, damages for each of their files, and what may come of them.

Commands run in forks of this process: the sizes that are made small here are small there, so that a few
hundred pages fill every structure that otherwise takes millions.
"""

import os
import random
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from unittest.mock import patch

from gossamer.core.disk.chunks import Chunks
from gossamer.core.disk.drum import DrumPlan
from gossamer.core.disk.queue import Queue
from gossamer.engine import builder, commits, recorder
from gossamer.engine.counters import Counters
from gossamer.lab import ServedWeb
from gossamer.output import cdxj, page_limit, read_store_state
from gossamer.pipeline.frontier import DiskFrontier
from gossamer.policy.budget import record_queues
from tests.copying import copy_crawl
from tests.engine.engine_checking import assert_valid
from tests.engine.engine_crawling import query
from tests.engine.engine_forks import Ended, command

_PLAN = DrumPlan(buckets=4, stage=32, bucket=64, chunk=16, block=4096, resident=32, disk=6_000)


# Crawls that fill every file.


@contextmanager
def small() -> Iterator[None]:
    """Make what is kept in memory small, and commit often."""
    with ExitStack() as stack:
        for one in (
            patch.object(DrumPlan, "of", lambda *_: _PLAN),
            patch.object(builder, "DiskFrontier", _small_frontier),
            patch.dict(Queue.__init__.__kwdefaults__, block=600, segment=1_500),
            patch.dict(Chunks.__init__.__kwdefaults__, segment=1_500),
            patch.object(record_queues, "_BLOCK", 300),
            patch.object(cdxj.CdxjIndex.__init__, "__defaults__", (25,)),
            patch.object(commits, "_COMMIT_EVERY", 0.05),
        ):
            stack.enter_context(one)
        yield


def _small_frontier(*arguments: Any, **named: Any) -> DiskFrontier:
    return DiskFrontier(*arguments, **{**named, "memory": 3_000})


def _begin(served: ServedWeb, out: Path, partitions: int, *more: str) -> Ended:
    knobs = {
        "politeness.retries": 0,
        "politeness.address_delay": 0,
        "robots.give_up": 1,
        "robots.cached_origins": 2,
        "dns.cache_size": 2,
        "fetch.transfers": 2,
        "frontier.back_queues": 1,  # the fewer, the more is left in the queues in front
        "order.name": "opic-disk + 0.1 * backlinks-disk",
        "budget.lowest": 2,
        "budget.highest": 4,
        "store.rows": 300,
        "store.warc_size": 40_000,
        "store.journal_bytes": 60_000,
    }
    return command(
        *("crawl", served.seed_url, "-o", str(out), "-q", "--partitions", str(partitions)),
        *("--dns", served.dns_address, "--allow-private", "--delay", "0", "--scope", "all"),
        *(word for name, value in knobs.items() for word in ("--set", f"{name}={value}")),
        *more,
    )


def stop(served: ServedWeb, out: Path, older: Path, partitions: int, pages: int) -> None:
    """A crawl that was stopped in good order, and how it was when it was stopped before."""
    with small():
        done = _begin(served, out, partitions, "--max-pages", str(pages // 2))
        assert done.status == 0, done.err
        copy_crawl(out, older)
        done = command("resume", str(out), "--max-pages", str(pages), "-q")
    assert done.status == 0, done.err


def kill(served: ServedWeb, out: Path, older: Path, partitions: int, pages: int) -> None:
    """A crawl that was killed with everything under way, and how it was when half of it was done."""
    commit, checkpoint = recorder.Recorder.commit, recorder.Recorder.checkpoint

    def counted(self: recorder.Recorder, *arguments: Any, **named: Any) -> None:
        checkpoint(self, *arguments, **named)
        self.commits = -1  # type: ignore[attr-defined]

    def fatal(self: recorder.Recorder, *arguments: Any, **named: Any) -> None:
        commit(self, *arguments, **named)
        count = self.commits = getattr(self, "commits", 0) + 1  # type: ignore[attr-defined]
        share, store = pages // partitions, read_store_state(self._components.store.checkpoint())
        if not count or self._ledger._journal.number == 0:
            return
        [counters] = [room for room in self.parts if isinstance(room, Counters)]
        if counters.pages >= share // 2 and not older.exists():
            with suppress(shutil.Error):  # files that another partition deleted meanwhile
                copy_crawl(out, older)
        spools = (store.pages.spool, store.links.spool, store.archive.index.spool)
        if counters.pages >= share and all(one.length for one in spools):
            os.killpg(0, signal.SIGKILL)

    with (
        small(),
        patch.object(commits, "_COMMIT_EVERY", 0.0),  # with every turn, however fast the machine is
        patch.object(recorder.Recorder, "commit", fatal),
        patch.object(recorder.Recorder, "checkpoint", counted),
    ):
        done = _begin(served, out, partitions)
    assert done.status == -signal.SIGKILL, f"{done.status}: {done.err}"


def retire(served: ServedWeb, out: Path, older: Path, partitions: int, pages: int) -> None:
    """A crawl that was killed when it had just planned which pages are to go."""

    def fatal(*_: object) -> NoReturn:
        copy_crawl(out, older)
        os.killpg(0, signal.SIGKILL)
        raise AssertionError

    with small(), patch.object(page_limit, "carry_out", fatal):
        most = f"store.max_stored_pages={pages // 2}"
        done = _begin(served, out, partitions, "--set", most)
    assert done.status == -signal.SIGKILL, f"{done.status}: {done.err}"


# Damages.

Damage = Callable[[Path, random.Random], None]


def _cut(share: float, path: Path, _: random.Random) -> None:
    os.truncate(path, int(share * path.stat().st_size))


def _cut_a_byte(path: Path, _: random.Random) -> None:
    os.truncate(path, max(0, path.stat().st_size - 1))


def _flip(share: float, path: Path, chance: random.Random) -> None:
    """Turn one bit round, somewhere in a part of the file."""
    data = bytearray(path.read_bytes())
    if data:
        place = min(int((share + chance.random() / 4) * len(data)), len(data) - 1)
        data[place] ^= 1 << chance.randrange(8)
        path.write_bytes(data)


def _flip_head(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    if data:
        data[chance.randrange(min(32, len(data)))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)


def _zero(path: Path, _: random.Random) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def _append(path: Path, chance: random.Random) -> None:
    with path.open("ab") as file:
        file.write(chance.randbytes(100))


def _become_a_folder(path: Path, _: random.Random) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: dict[str, Damage] = {
    "emptied": partial(_cut, 0.0),
    "half gone": partial(_cut, 0.5),
    "one byte short": _cut_a_byte,
    "flipped in its head": _flip_head,
    **{f"flipped in quarter {n + 1}": partial(_flip, n / 4) for n in range(4)},
    "deleted": lambda path, _: path.unlink(),
    "all zeros": _zero,
    "longer": _append,
    "a folder": _become_a_folder,
}
OLDER = "older"


class Case(NamedTuple):
    """One file, and what befalls it."""

    file: str
    damage: str

    def befall(self, out: Path, older: Path) -> None:
        path = out / self.file
        if self.damage == OLDER:
            shutil.copy(older / self.file, path)
        else:
            DAMAGES[self.damage](path, random.Random(f"{self.file} {self.damage}"))


def cases(out: Path, older: Path) -> list[Case]:
    """All damages of all files that they change."""
    found = []
    for path in sorted(out.rglob("*")):
        if path.is_file():
            file = str(path.relative_to(out))
            found += [Case(file, name) for name in DAMAGES if path.stat().st_size or name in _EMPTY]
            before = older / file
            if before.is_file() and before.read_bytes() != path.read_bytes():
                found.append(Case(file, OLDER))
    return found


_EMPTY = ("deleted", "longer", "a folder")
"""What can befall an empty file."""


# What may come of it.

_ADVICE = (
    r"; (restore|correct|leave|choose|give|continue|start|known|did you mean|when|write|only|"
    r"nothing is lost: when|all that was done)"
)
_RESUME = ("--set", "crawl.max_pages=0", "-q")


def judge(
    out: Path, older: Path, work: Path, case: Case, truth: set[str], *, thorough: bool
) -> str:
    """Let a damage befall a copy, and look at what `verify` and `resume` make of it.

    Returns in a word how it ended; anything that must not be is an `AssertionError`.
    """
    shutil.rmtree(work, ignore_errors=True)
    copy_crawl(out, work)
    case.befall(work, older)
    with small():
        found = command("verify", str(work))
        _assert_told(found, "verify")
        is_found = found.status != 0
        resumed = command("resume", str(work), *_RESUME)
        _assert_told(resumed, "resume")
        if resumed.status == 0:
            _assert_whole(work, truth, is_found=is_found)
            return "mended" if is_found else "harmless"
        assert is_found, f"resume refuses what verify finds in order: {resumed.err}"
        assert re.search(_ADVICE, resumed.err), f"no advice: {resumed.err}"
        if thorough:
            _assert_restorable(out, work, case, truth)
    return "refused"


def _assert_told(ended: Ended, name: str) -> None:
    """No signal, no hang, no traceback, and at most one line."""
    said = f"{name} ended with {ended.status}: {ended.out[-2000:]}{ended.err[-3000:]}"
    assert ended.status in (0, 1), said
    assert "Traceback" not in ended.err, said
    assert len(ended.complaints) <= 1, said
    if name == "resume" and ended.status:
        assert len(ended.complaints) == 1, said
    if name == "verify" and ended.status:
        bad = [line for line in ended.out.splitlines() if line.startswith("BAD")]
        assert len(bad) + len(ended.complaints) >= 1, said


def _assert_whole(out: Path, truth: set[str], *, is_found: bool) -> None:
    """The crawl ended as it should, but for what is damaged in the output, which is still told."""
    after = command("verify", str(out))
    _assert_told(after, "verify")
    assert is_found or not after.status, f"verify finds only afterwards: {after.out}"
    damaged = [line for line in after.out.splitlines() if line.startswith("BAD")]
    if any(re.match(r"BAD  (warc|pages|links)", line) for line in damaged):
        return  # what others would stumble over is still told
    rows = query(out, "select url from pages where status > 0")
    assert sorted(url for (url,) in rows) == sorted(truth), "exactly the truth is recorded"
    assert_valid(out)


def _assert_restorable(out: Path, work: Path, case: Case, truth: set[str]) -> None:
    """Refusing has made nothing worse: with the file as it was, the crawl goes on.

    Unless it had gone on before it came to the damage; then the file is too old, and that is told.
    """
    path = work / case.file
    if path.is_dir():
        shutil.rmtree(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(out / case.file, path)
    resumed = command("resume", str(work), *_RESUME)
    _assert_told(resumed, "resume")
    if resumed.status == 0:
        _assert_whole(work, truth, is_found=False)
    else:
        assert "is shorter than" in resumed.err, f"after restoring: {resumed.err}"
