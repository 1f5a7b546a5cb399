"""What the content test found out becomes columns, and decides what is followed."""

from typing import Any

import pytest
from msgspec.structs import replace

from gossamer.analyzers.duplicates.duplicates_analyzer import DuplicateAnalyzer
from gossamer.core.outcomes import Outcome, Refusal
from gossamer.core.page_batch import PageBatch
from gossamer.core.records import Compared, Document, Headers, Original, Page, Similar, Via, Visit
from gossamer.core.settings import ScopeSettings, Settings
from gossamer.policy.revisit.page_memory import PageMemory, hand_over
from tests.present import parse

FIRST = Original("http://a.test/first", 5.0)


def found(path: str = "/", status: int = 200, visit: Any = (), **more: Any) -> Compared:
    fields = Headers([("Location", "/there")] if 300 <= status < 400 else [])
    page = Page(
        Visit(parse(f"http://a.test{path}"), **dict(visit)),
        Outcome.FETCHED,
        0.0,
        status=status,
        headers=fields,
    )
    return Compared(Document(page), **more)


def look(*compared: Compared, **scope: Any) -> PageBatch:
    batch = PageBatch.of(compared)
    batch.annotate(DuplicateAnalyzer(ScopeSettings(**scope)).look(batch))
    return batch


def test_pages_like_no_other_have_no_columns() -> None:
    batch = look(found("/1", words=9), found("/2", is_variant=True))
    assert set(batch.columns) == {"compared"}
    assert [one.is_variant for one in batch.pages] == [False, True]


def test_a_copy_is_followed_nowhere_and_worth_less() -> None:
    batch = look(found("/1"), found("/2", duplicate_of=FIRST, is_same_payload=True))
    assert batch.said("duplicate_of") == [None, FIRST.url]
    one, copy = batch.pages
    assert (one.refusal, one.is_lesser, one.original) == (None, False, None)
    assert (copy.refusal, copy.is_lesser, copy.original) == (
        Refusal.DUPLICATE_CONTENT,
        True,
        FIRST,
    )
    [copy] = look(found("/2", duplicate_of=FIRST), follow_duplicates=True).pages
    assert (copy.refusal, copy.is_lesser, copy.original) == (None, True, None)


def test_a_redirect_with_the_body_of_another_is_followed() -> None:
    [moved] = look(found("/2", 301, duplicate_of=FIRST)).pages
    assert (moved.refusal, moved.is_lesser) == (None, True)


@pytest.mark.parametrize(("streak", "refusal"), [(3, None), (4, Refusal.NEAR_DUPLICATE)])
def test_near_duplicates_are_followed_for_a_while(streak: int, refusal: Refusal | None) -> None:
    similar = Similar(7, FIRST, 0.875, streak)
    batch = look(found(similar_to=similar), follow_near=3)
    said = [batch.said(name) for name in ("near_of", "near_group", "similarity")]
    assert said == [[FIRST.url], [7], [0.875]]
    assert batch.pages[0].refusal is refusal


def test_other_settings_hold_from_the_next_page_on() -> None:
    duplicates, copy = DuplicateAnalyzer(ScopeSettings()), found(duplicate_of=FIRST)
    duplicates.change(Settings(scope=ScopeSettings(follow_duplicates=True)))
    batch = PageBatch.of([copy])
    duplicates.look(batch)
    assert batch.pages[0].refusal is None


def test_a_page_counts_once_by_the_most_that_it_has_in_common() -> None:
    similar = Similar(7, FIRST, 0.9)
    batch = look(
        found("/1", duplicate_of=FIRST, similar_to=similar),
        found("/2", same_text_as=FIRST, similar_to=similar),
        found("/3", similar_to=similar),
        found("/4", 404, duplicate_of=FIRST),
        found("/5"),
    )
    counts = DuplicateAnalyzer(ScopeSettings()).count(batch)
    assert counts == {"duplicates": 1, "same_text": 1, "near_duplicates": 1}


def test_a_page_that_moved_is_no_copy_of_what_it_was() -> None:
    memory = hand_over(PageMemory(visits=1, digest=b"x" * 20))
    visit = {"via": Via.REDIRECT, "source": FIRST.url, "memory": memory}
    moved = found("/new", visit=visit, duplicate_of=FIRST, is_same_payload=True)
    batch = look(moved)
    assert (batch.said("duplicate_of"), batch.pages[0].original) == ([None], None)
    assert batch.said("compared")[0].duplicate_of is None, (
        "nor does the redundancy filter take it for one"
    )
    [other] = look(replace(moved, duplicate_of=Original("http://b.test/", 1.0))).pages
    assert other.is_lesser
