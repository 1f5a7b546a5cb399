"""Whatever happens to a file of a crawl directory: it is mended, or told in one line, and nothing is lost.

Some damages of each kind of crawl. `make soak` lets every damage befall every file (GOSSAMER_DAMAGES=all).
"""

import os
import random
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gossamer.engine.status_file import read_summary
from gossamer.lab import ServedWeb, Web, serve
from gossamer.lab.behaviours import Duplicates
from tests.copying import copy_crawl
from tests.engine import damaging
from tests.engine.damaging import Case, cases, judge, small
from tests.engine.engine_forks import command

IS_THOROUGH = os.environ.get("GOSSAMER_DAMAGES") == "all"

CRAWLS: dict[str, tuple[Callable[[ServedWeb, Path, Path, int, int], None], int]] = {
    "stopped": (damaging.stop, 1),
    "killed": (damaging.kill, 1),
    "retiring": (damaging.retire, 1),
    "two stopped": (damaging.stop, 2),
    "two killed": (damaging.kill, 2),
}

REFUSED, MENDED = {"refused"}, {"mended"}
FOUND = REFUSED | MENDED
"""It may happen that nobody needs what is damaged."""

CHOSEN: dict[str, list[tuple[str, str, set[str]]]] = {
    "stopped": [
        (r"content/bodies\.buckets", "emptied", MENDED),
        (r"content/bands\.buckets", "flipped in its head", MENDED),
        (r"content/leaders\.directory", "flipped in its head", MENDED),
        (r"content/urls\.log", "all zeros", FOUND),
        (r"front-\d+/\d+\.segment", "all zeros", REFUSED),
        (r"snapshot-\d+\.bin", "emptied", REFUSED),
        (r"seen/epoch-\d+\.log", "flipped in its head", FOUND),
        (r"warc/index\.cdxj", "flipped in quarter 2", FOUND),
    ],
    "killed": [
        (r"pages-\d+\.spool", "flipped in quarter 2", REFUSED),
        (r"links-\d+\.spool", "all zeros", REFUSED),
        (r"journal-\d+\.log", "half gone", REFUSED),
        (r"journal/end", "deleted", MENDED),
        (r"checkpoint", "deleted", REFUSED),
        (r"cdxj-\d+-\d+\.run", "flipped in quarter 3", REFUSED),
        (r"crawl\.toml", "half gone", REFUSED),
    ],
    "retiring": [
        (r"retirement\.plan", "flipped in quarter 1", REFUSED),
        (r"pages/", "half gone", REFUSED),
        (r"warc/index\.cdxj", "flipped in quarter 3", FOUND),
        (r"output/index-\d+\.spool", "a folder", REFUSED),
    ],
    "two stopped": [
        (r"00001/content/shared/bodies\.buckets", "emptied", MENDED),
        (r"0000\d/content/shared/urls\.log", "all zeros", FOUND),
    ],
    "two killed": [
        (r"00001/checkpoint", "deleted", REFUSED),
        (r"00000/journal/journal-\d+\.log", "half gone", REFUSED),
    ],
}
"""Those that were hard once: a part of a file's name, the damage, and what may come of it."""


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=5, pages=60, hosts=8, behaviours=(Duplicates(),))) as served:
        yield served


@pytest.mark.timeout(0 if IS_THOROUGH else 900)
@pytest.mark.parametrize("name", CRAWLS)
def test_whatever_happens_to_a_file(served: ServedWeb, tmp_path: Path, name: str) -> None:
    out, older, work = (tmp_path / one for one in ("out", "older", "work"))
    truth = served.web.reachable().asked
    make, partitions = CRAWLS[name]
    make(served, out, older, partitions, int(0.6 * len(truth)))
    outcomes, failures = Counter[str](), []
    for case, allowed in _choose(cases(out, older), name):
        try:
            outcome = judge(out, older, work, case, truth, thorough=IS_THOROUGH)
            assert outcome in allowed, f"it was {outcome}"
            outcomes[outcome] += 1
        except AssertionError as error:
            failures.append(f"{case.file} {case.damage}: {error}")
    print(f"{name}: {dict(outcomes)}")
    assert not failures, "\n\n".join(failures)


def _choose(found: list[Case], name: str) -> list[tuple[Case, set[str]]]:
    """All, or those that were hard once; with what may come of each."""
    if IS_THOROUGH:
        return [(case, FOUND | {"harmless"}) for case in found]
    chosen = []
    for pattern, damage, allowed in CHOSEN[name]:
        some = [one for one in found if one.damage == damage and re.search(pattern, one.file)]
        assert some, f"no file is like {pattern}"
        chosen.append((random.Random(name).choice(some), allowed))
    return chosen


def _mixed(whole: Path, older: Path, out: Path) -> Path:
    """A crawl whose second partition is from an older copy."""
    copy_crawl(whole, out)
    shutil.rmtree(out / "state" / "00001")
    shutil.copytree(older / "state" / "00001", out / "state" / "00001")
    return out


def test_a_partition_of_another_time(served: ServedWeb, tmp_path: Path) -> None:
    """Restored alone from an older copy, it would be sent what it never hears, for ever."""
    whole, older = tmp_path / "whole", tmp_path / "older"
    truth = served.web.reachable().asked
    damaging.stop(served, whole, older, 2, int(0.6 * len(truth)))
    for name in ("warc", "pages", "links"):  # what came later would be deleted, and is as well
        assert (older / name).is_dir()
    out = _mixed(whole, older, tmp_path / "out")
    with small():
        found = command("verify", str(out))
        while "from different times" not in found.out:  # nothing was sent since the older copy
            pages = read_summary(whole).pages + 5
            assert pages < len(truth), "partitions never said anything to each other"
            command("resume", str(whole), "-q", "--set", f"crawl.max_pages={pages}")
            shutil.rmtree(out)
            found = command("verify", str(_mixed(whole, older, out)))
        resumed = command("resume", str(out), "-q", "--set", "crawl.max_pages=0")
    assert found.status == resumed.status == 1
    assert "from different times" in found.out
    assert "restore all partitions from the same copy" in resumed.err
    assert len(resumed.complaints) == 1
