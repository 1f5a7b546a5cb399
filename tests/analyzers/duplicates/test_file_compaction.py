"""Files of the content test are written again without what counts no more."""

import shutil
from pathlib import Path
from random import Random

import pytest

from gossamer.analyzers.duplicates.content_seen import Content
from gossamer.analyzers.duplicates.duplicates_state import ContentState, read_content_state
from gossamer.core.disk import disk_files
from gossamer.core.records import Compared
from tests.analyzers.duplicates.test_gone import copied, judge, open_content
from tests.analyzers.duplicates.texts import prose
from tests.core.disk.disk_samples import system
from tests.examples import PROFILE

TEXTS = [b"", b"a few words", *(prose(seed, 60) for seed in range(4))]
TEXTS += [text + b" and an end" for text in TEXTS[2:]] + [text + b"!" for text in TEXTS[2:4]]


_STEP = 1 if PROFILE == "new" else 13
"""Moments from one kill to the next; all of them in long runs."""


def change(content: Content, count: int, random: Random) -> list[tuple[object, ...]]:
    """Visit some of a few pages again and again; what was found out of them."""
    found = []
    for number in range(count):
        page, text = f"page{random.randrange(12)}", random.choice(TEXTS)
        status = random.choice([200, 200, 200, 404])
        found.append(told(judge(content, page, text, float(number), status)))
    return found


def told(kept: Compared) -> tuple[object, ...]:
    same = None if kept.same_text_as is None else kept.same_text_as
    return kept.duplicate_of, kept.is_same_payload, same, kept.similar_to


def checkpoint(content: Content, *, is_published: bool = True) -> ContentState:
    content.note()
    state = read_content_state(content.checkpoint())
    if is_published:
        content.checkpoint_published()
    return state


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_judged_otherwise(tmp_path: Path, seed: int) -> None:
    packed, grown = (open_content(tmp_path / name) for name in ("packed", "grown"))
    one, other = Random(seed), Random(seed)
    for _ in range(4):
        assert change(packed, 80, one) == change(grown, 80, other)
        checkpoint(packed)
        grown.note()
    assert checkpoint(packed).generation > 0
    assert packed.statistics().known == grown.statistics().known
    assert packed.statistics().sketches == grown.statistics().sketches
    assert packed.statistics().compared == grown.statistics().compared
    packed.verify()


def test_files_do_not_grow_for_ever(tmp_path: Path) -> None:
    packed, grown = (open_content(tmp_path / name) for name in ("packed", "grown"))
    for content in (packed, grown):
        random = Random(1)
        for _ in range(8):
            change(content, 100, random)
            content.note()
            if content is packed:
                state = checkpoint(packed)
    assert state.generation >= 3
    assert names(tmp_path / "packed") == {f"packed-{state.generation}"}
    for one, other in zip(lengths(packed), lengths(grown), strict=True):
        assert 3 * one < other


def lengths(content: Content) -> tuple[int, ...]:
    state = content.commit()
    return state.originals, state.urls, state.near.sketches, state.near.streaks


def test_it_is_done_when_most_counts_no_more(tmp_path: Path) -> None:
    content = open_content(tmp_path)
    for number in range(50):
        judge(content, f"page{number}", b"page %d" % number)
    assert checkpoint(content).generation == 0
    for times in range(4):
        for number in range(30):
            judge(content, f"page{number}", b"page %d for the %dth time" % (number, times))
        is_due = 2 * 30 * (times + 1) > 2 * 50 + 64
        assert checkpoint(content).generation == is_due
        if is_due:
            break


@pytest.mark.parametrize("is_published", [True, False])
def test_after_a_crash(tmp_path: Path, *, is_published: bool) -> None:
    """Files of before stay until the checkpoint is published, those of now are found with it."""
    content = open_content(tmp_path)
    judge(content, "old", TEXTS[2], 5.0)
    for number in range(100):
        judge(content, "page", b"page %d" % number)
    content.note()
    before = content.commit()
    packed = checkpoint(content, is_published=is_published)
    assert (before.generation, packed.generation) == (0, 1)
    judge(content, "lost", TEXTS[3])
    state = packed if is_published else before
    again = open_content(tmp_path, state)
    assert copied(judge(again, "copy", TEXTS[2])) == "old"
    assert judge(again, "near", TEXTS[2] + b" end").similar_to is not None
    assert copied(judge(again, "another", b"page 99")) == "page"
    assert copied(judge(again, "once more", TEXTS[3])) is None
    for number in range(100):
        judge(again, "page", b"%d" % number)
    assert checkpoint(again).generation == state.generation + 1
    assert names(tmp_path) == {f"packed-{state.generation + 1}"}
    again.verify()
    again.close()


def test_closed_and_opened(tmp_path: Path) -> None:
    content = open_content(tmp_path)
    for number in range(100):
        judge(content, "page", b"page %d" % number)
    state = checkpoint(content)
    content.close()
    again = open_content(tmp_path, state)
    assert not again.repairs
    assert copied(judge(again, "copy", b"page 99")) == "page"
    assert again.statistics().known == 2


def test_pages_that_are_visited_once_stay_as_they_are(tmp_path: Path) -> None:
    content = Content(tmp_path)
    change(content, 300, Random(1))
    assert checkpoint(content).generation == 0


class Dying(disk_files.System):
    """Ends the process, as it were, before the n-th thing that is done to the disk."""

    def __init__(self, die_at: int) -> None:
        self.left = die_at

    def count(self) -> None:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt

    def write(self, descriptor: int, data: memoryview) -> int:
        self.count()
        return super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        self.count()

    def sync_folder(self, folder: Path) -> None:
        self.count()

    def rename(self, source: Path, target: Path) -> None:
        self.count()
        super().rename(source, target)

    def delete(self, path: Path) -> None:
        self.count()
        super().delete(path)


def test_killed_at_any_moment_of_it(tmp_path: Path) -> None:
    """What the record says leads back to the same, until it says something else."""
    moment, is_over = 1, False
    folder = tmp_path / "content"
    while not is_over:
        content = open_content(folder)
        judge(content, "old", TEXTS[2])
        for number in range(40):
            judge(content, "page", b"page %d" % number)
        content.note()
        committed = content.commit()
        try:
            with system(Dying(moment)):
                committed = read_content_state(content.checkpoint())
                content.checkpoint_published()
            is_over = True
        except KeyboardInterrupt:
            pass
        again = open_content(folder, committed)
        assert copied(judge(again, "copy", TEXTS[2])) == "old"
        assert judge(again, "near", TEXTS[2] + b" end").similar_to is not None
        assert copied(judge(again, "other", b"page 39")) == "page"
        again.close()
        shutil.rmtree(folder)
        moment += _STEP
    assert committed.generation == 1
    assert moment > 40
