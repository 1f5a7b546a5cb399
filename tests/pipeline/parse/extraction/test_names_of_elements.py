"""The names of a page's elements: each different one is looked at once, and a hostile page costs no more."""

from itertools import product
from string import ascii_lowercase

import numpy as np
import pytest
from numpy.typing import NDArray

from gossamer.pipeline.parse.extraction import boilerplate_elements, name_hints
from gossamer.pipeline.parse.extraction.html_elements import Elements
from gossamer.pipeline.parse.extraction.outline import build_outline
from gossamer.pipeline.parse.extraction_kernels.element_kinds import Kind
from gossamer.pipeline.parse.extraction_kernels.values import ATTRIBUTES, MIX, MOST_PROBES

LONG = "share-" + "x" * 300


def elements_of(classes: list[str]) -> Elements:
    body = "".join(f"<div class='{one}'>x</div>" for one in classes)
    outline = build_outline(body.encode())
    assert outline is not None
    return outline.elements


def kinds_of(page: Elements) -> tuple[int, list[int]]:
    """How many different names were seen, and the kinds of the elements."""
    numbers = np.empty(len(page) * ATTRIBUTES, np.int32)
    kinds = boilerplate_elements._find_kinds(page, numbers)
    return len(kinds) - 1, kinds[numbers[::ATTRIBUTES]].tolist()


def in_one_slot(start: int, slots: int, count: int) -> list[str]:
    """Names that a table of so many slots has the same slot for."""
    letters = np.frombuffer(ascii_lowercase.encode(), np.uint8).astype(np.int64)
    keys: NDArray[np.int64] = np.array([start], np.int64)
    for _ in range(4):
        keys = ((keys[:, None] ^ letters) * np.int64(MIX)).reshape(-1)
        keys ^= keys >> 29
    found = np.flatnonzero(keys & (slots - 1) == 7)[:count]
    words = ["".join(one) for one in product(ascii_lowercase, repeat=4)]
    return [words[at] for at in found.tolist()]


def test_a_name_that_many_elements_have_is_seen_once() -> None:
    seen, kinds = kinds_of(elements_of(["sidebar", "story", "sidebar"] * 100))
    assert seen == 2
    assert set(kinds[-3:]) == {name_hints.kind_of("sidebar"), name_hints.kind_of("story")}


def test_names_made_for_one_slot_are_compared_with_few_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Compared with all others, they take minutes. What is said of them is the same."""
    monkeypatch.setattr(boilerplate_elements, "_START", 5)
    count = MOST_PROBES + 36
    page = elements_of([*in_one_slot(5, 1024, count), "share-bar"] * 2)
    assert 1 << (len(page) * ATTRIBUTES + 1).bit_length() == 1024
    seen, kinds = kinds_of(page)
    assert seen == 1 + MOST_PROBES + 2 * 36, "those that found no place have a number each time"
    monkeypatch.setattr(boilerplate_elements, "_START", 6)
    fewer, same = kinds_of(page)
    assert fewer == 1 + count, "they cannot be made for a number that nobody knows"
    assert kinds == same
    assert Kind.CLUTTER in same


def test_long_names_are_not_remembered() -> None:
    """What is remembered is counted, so that long names would fill the memory."""
    kept = (
        boilerplate_elements._kept_kind_of,
        name_hints._kept_kind_of_one,
        name_hints._is_kept_lead,
    )
    before = [one.cache_info().currsize for one in kept]
    for number in range(10):
        name = f"{LONG}{number}"
        seen, kinds = kinds_of(elements_of([name]))
        assert (seen, kinds[-1]) == (1, Kind.CLUTTER)
        assert not name_hints.is_lead(name)
    assert [one.cache_info().currsize for one in kept] == before
    assert name_hints.kind_of("share") is Kind.CLUTTER
