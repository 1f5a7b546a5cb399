"""The past of every URL, in memory and on disk."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.core.outcomes import Outcome
from gossamer.core.records import Document, Judged, Page, Visit
from gossamer.core.url import parse
from gossamer.output.versions import History, Past, visits_of
from gossamer.output.versions.visit_notes import PAST, VISIT, join, pasts_of

_VISITS = st.lists(st.tuples(st.integers(1, 6), st.integers(0, 3)), max_size=40)
"""Keys and contents; the time is their place in the list."""


def pack(visits: list[tuple[int, int]], start: int = 0) -> bytes:
    rows = [(key, float(start + place), content) for place, (key, content) in enumerate(visits)]
    return np.array(rows, VISIT).tobytes()


def model(visits: list[tuple[int, int]], key: int) -> Past:
    own = [(time, content) for time, (one, content) in enumerate(visits) if one == key]
    if not own:
        return Past(key, 0.0, 0.0, 0, 0)
    contents = [content for _, content in own if content]
    changes = sum(a != b for a, b in pairwise(contents))
    return Past(key, float(own[0][0]), float(own[-1][0]), len(own), changes)


def tell(history: History) -> list[Past]:
    history.ask(np.arange(1, 7, dtype=np.uint64))
    history.settle()
    return list(history.pasts())


@settings(max_examples=40, deadline=None)
@given(_VISITS, st.integers(1, 10))
def test_a_past_is_what_its_visits_say(
    tmp_path_factory: pytest.TempPathFactory, visits: list[tuple[int, int]], size: int
) -> None:
    history = History(tmp_path_factory.mktemp("history"), memory=1 << 20)
    for start in range(0, len(visits), size):
        history.take(pack(visits[start : start + size], start))
    assert tell(history) == [model(visits, key) for key in range(1, 7)]
    history.close()


@given(st.lists(st.integers(0, 2), min_size=3, max_size=3))
def test_the_rule_is_associative(contents: list[int]) -> None:
    a, b, c = (
        pasts_of(np.array([(1, float(time), content)], VISIT))
        for time, content in enumerate(contents)
    )
    assert join(join(a, b), c) == join(a, join(b, c))
    assert join(a, b).dtype == PAST


def test_it_is_found_again_as_it_was_at_a_checkpoint(tmp_path: Path) -> None:
    visits = [(1, 5), (2, 5), (1, 6)]
    history = History(tmp_path, memory=1 << 20)
    history.take(pack(visits))
    manifest = history.checkpoint()
    history.take(pack([(1, 7)], 3))  # lost, and noted again from the journal
    history.close()
    again = History(tmp_path, memory=1 << 20, manifest=manifest)
    again.replay([pack([(1, 7)], 3)])
    assert tell(again) == [model([*visits, (1, 7)], key) for key in range(1, 7)]
    assert again.statistics().urls == 2
    again.close()


def test_only_visits_with_a_response_are_noted() -> None:
    url = parse("http://a.test/")
    assert url is not None
    answered = Page(Visit(url), Outcome.FETCHED, 9.0, status=200)
    failed = Page(Visit(url), Outcome.TIMEOUT, 8.0)
    packed = visits_of([Judged(Document(answered), b"\1" * 20), Judged(Document(failed))])
    assert np.frombuffer(packed, VISIT).tolist() == [(url.key, 9.0, 0x0101010101010101)]
