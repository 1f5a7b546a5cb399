"""What is said of pages, column by column, and what is done about them."""

import numpy as np

from gossamer.core.outcomes import Outcome, Refusal
from gossamer.core.page_batch import PageBatch
from gossamer.core.records import Document, Judged, Page, Visit
from tests.present import parse


def batch_of(count: int) -> PageBatch:
    visits = [Visit(parse(f"http://a.test/{number}")) for number in range(count)]
    return PageBatch(Judged(Document(Page(visit, Outcome.FETCHED, 0.0))) for visit in visits)


def test_a_column_that_nobody_fills_is_not_there() -> None:
    batch = batch_of(3)
    assert batch.said("language") == [None] * 3
    assert batch.columns == {}


def test_arrays_become_lists_for_the_table() -> None:
    batch = batch_of(2)
    batch.annotate({"score": np.array([0.5, 1.0], np.float32).tolist()})
    assert batch.said("score") == [0.5, 1.0]


def test_what_an_earlier_crawl_said_of_a_page_without_content_stays() -> None:
    batch = batch_of(3)
    batch.remember(1, {"score": 0.25, "topic": "tea"})
    assert batch.said("topic") == [None, "tea", None]
    batch.annotate({"score": [1.0, 0.0, 0.5], "other": [1, 2, 3]})
    assert batch.said("score") == [1.0, 0.25, 0.5]
    assert batch.said("other") == [1, 2, 3]
    some = batch.select([1, 2])
    some.annotate({"score": [0.0, 0.0]})
    assert some.said("score") == [0.25, 0.0]


def test_the_last_analyzer_that_objects_names_the_reason() -> None:
    batch = batch_of(2)
    batch.refuse_links(1, Refusal.DUPLICATE_CONTENT, is_lesser=True)
    batch.refuse_links(1, Refusal.NOFOLLOW)
    assert [one.refusal for one in batch.pages] == [None, Refusal.NOFOLLOW]
    assert [one.is_lesser for one in batch.pages] == [False, True]
