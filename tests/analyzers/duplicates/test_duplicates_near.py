"""Pages that say nearly the same."""

import random
from pathlib import Path

from gossamer.analyzers.duplicates.content_seen import Content
from gossamer.core.records import Compared, Document
from gossamer.core.settings import ContentSettings
from tests.analyzers.duplicates.texts import document, edit, prose, redirect
from tests.present import present

A, B, C, D = (f"http://{name}.test/page" for name in "abcd")


def judge(content: Content, one: Document) -> Compared:
    [kept] = content.judge([one])
    return kept


def near(text: bytes, seed: int = 1) -> bytes:
    """Nine in ten shingles stay."""
    return text + b" " + prose(1000 + seed, len(text.split()) // 12)


def test_a_near_duplicate_has_the_group_of_the_first(tmp_path: Path) -> None:
    content, text = Content(tmp_path), prose(1)
    first = judge(content, document(A, text))
    assert first.similar_to is None
    second = judge(content, document(B, near(text)))
    assert second.duplicate_of is None
    assert present(second.similar_to).original.url == A
    assert present(second.similar_to).group == first.document.page.visit.url.key
    assert 0.85 < present(second.similar_to).similarity < 0.98
    assert judge(content, document(C, prose(2))).similar_to is None
    said = content.statistics()
    assert (said.near, said.sketches) == (1, 2), "the second page is not compared with any more"


def test_a_group_does_not_drift_away_from_its_first_page(tmp_path: Path) -> None:
    content, text = Content(tmp_path), prose(1)
    judge(content, document(A, text))
    one = near(text, 1)
    two = near(one, 2)
    assert present(judge(content, document(B, one)).similar_to).original.url == A
    assert present(judge(content, document(C, two)).similar_to).original.url == A
    far = near(near(two, 3), 4)
    assert judge(content, document(D, far)).similar_to is None, "near to C, but not to A"


def test_the_nearest_of_several_is_chosen(tmp_path: Path) -> None:
    content, chance = Content(tmp_path), random.Random(3)
    text = prose(1, 1000)
    farther = edit(text, 0.28, chance)
    judge(content, document(A, farther))
    judge(content, document(B, text))
    assert content.statistics().sketches == 2
    assert present(judge(content, document(C, near(text))).similar_to).original.url == B


def test_the_same_text_in_other_markup(tmp_path: Path) -> None:
    content, text = Content(tmp_path), prose(1)
    judge(content, document(A, text))
    kept = judge(content, document(B, text.upper().replace(b" ", b" - "), markup=b"<table>"))
    assert kept.duplicate_of is None
    assert present(kept.same_text_as).url == A
    assert present(kept.similar_to).similarity == 1.0
    assert kept.text_print == judge(content, document(A, text)).text_print != 0
    assert content.statistics().same_text == 1


def test_little_text_is_not_judged(tmp_path: Path) -> None:
    content, text = Content(tmp_path), b"Page not found. Go back to the start."
    first, second = content.judge([document(A, text), document(B, text, markup=b"<i>")])
    assert second.same_text_as is None
    assert second.similar_to is None
    assert first.text_print == second.text_print != 0
    assert content.statistics().sketches == 0


def test_a_text_without_spaces_is_no_little_text_but_has_no_shingles(tmp_path: Path) -> None:
    content, text = Content(tmp_path), "日本語".encode() * 100
    kept = content.judge([document(A, text), document(B, text, markup=b"<i>")])[1]
    assert present(kept.same_text_as).url == A
    assert kept.similar_to is None


def test_a_page_met_again_is_not_like_itself(tmp_path: Path) -> None:
    content, text = Content(tmp_path), prose(1)
    pages = [document(A, text), document(A, text), document(A, near(text)), document(A, text)]
    assert [kept.similar_to for kept in content.judge(pages)] == [None] * 4
    assert content.statistics().sketches == 1


def test_a_page_that_changed_is_compared_by_what_it_says_now(tmp_path: Path) -> None:
    content, old, new = Content(tmp_path), prose(1), prose(2)
    content.judge([document(A, old), document(A, new)])
    assert present(judge(content, document(B, near(new))).similar_to).original.url == A
    assert judge(content, document(C, near(old))).similar_to is None
    assert content.statistics().sketches == 2


def test_step_by_step_a_first_page_takes_its_group_along(tmp_path: Path) -> None:
    content, text = Content(tmp_path), prose(1)
    for step in range(4):
        judge(content, document(A, text))
        text = near(text, step)
    kept = judge(content, document(B, text))
    assert present(kept.similar_to).original.url == A
    assert content.statistics().sketches == 1


def test_a_first_page_that_becomes_like_another_joins_it(tmp_path: Path) -> None:
    content, text = Content(tmp_path), prose(1)
    content.judge([document(A, text), document(B, prose(2))])
    assert present(judge(content, document(B, near(text))).similar_to).original.url == A
    assert judge(content, document(C, near(prose(2)))).similar_to is None, "nobody says that now"


def test_a_page_that_lost_its_text_is_not_compared_with(tmp_path: Path) -> None:
    content, text = Content(tmp_path), prose(1)
    content.judge([document(A, text), document(A, b"Gone.")])
    assert judge(content, document(B, near(text))).similar_to is None


def test_switched_off_only_the_same_text_is_found(tmp_path: Path) -> None:
    content, text = Content(tmp_path, ContentSettings(near=False)), prose(1)
    pages = [document(A, text), document(B, near(text)), document(C, text, markup=b"<i>")]
    kept = content.judge(pages)
    assert [one.similar_to for one in kept] == [None] * 3
    assert present(kept[2].same_text_as).url == A
    assert not list(tmp_path.glob("bands*"))


def test_the_threshold_is_a_setting(tmp_path: Path) -> None:
    text = prose(1, 1000)
    copy = edit(text, 0.28, random.Random(3))
    for threshold, is_near in ((0.5, True), (0.95, False)):
        content = Content(tmp_path / str(threshold), ContentSettings(threshold=threshold))
        kept = content.judge([document(A, text), document(B, copy)])[1]
        assert (kept.similar_to is not None) == is_near


# Streaks.


def test_near_duplicates_in_a_row_are_counted(tmp_path: Path) -> None:
    """A calendar: each month is found on the one before."""
    content, months = Content(tmp_path), [f"http://a.test/{month}" for month in range(6)]
    text = prose(1)
    judge(content, document(months[0], text, source=A))
    streaks = [
        present(judge(content, document(url, near(text, n), source=months[n])).similar_to).streak
        for n, url in enumerate(months[1:])
    ]
    assert streaks == [1, 2, 3, 4, 5]


def test_near_duplicates_found_on_one_page_are_not_in_a_row(tmp_path: Path) -> None:
    content, text = Content(tmp_path), prose(1)
    judge(content, document(A, prose(2)))
    judge(content, document(B, text, source=A))
    for number in range(20):
        kept = judge(content, document(f"{C}/{number}", near(text, number), source=A))
        assert present(kept.similar_to).streak == 1


def test_a_redirect_does_not_break_a_streak(tmp_path: Path) -> None:
    content, text = Content(tmp_path), prose(1)
    judge(content, document(A, text))
    judge(content, document(B, near(text, 1), source=A))
    judge(content, redirect(C, D, source=B))
    assert present(judge(content, document(D, near(text, 2), source=C)).similar_to).streak == 2


def test_a_page_that_is_like_no_other_any_more_ends_a_streak(tmp_path: Path) -> None:
    content, text = Content(tmp_path), prose(1)
    judge(content, document(A, text))
    judge(content, document(B, near(text, 1), source=A))
    judge(content, document(B, prose(7), source=A))
    assert present(judge(content, document(C, near(text, 2), source=B)).similar_to).streak == 1


# Recorded.


def fill(content: Content, seed: int) -> None:
    """Pages, near-duplicates in a row, and pages that changed."""
    text, before = prose(seed), ""
    for number in range(5):
        url = f"http://{seed}.test/{number}"
        judge(content, document(url, near(text, number), source=before))
        before = url
    judge(content, document(f"http://{seed}.test/changed", prose(seed + 500)))
    judge(content, document(f"http://{seed}.test/changed", prose(seed + 600)))
    judge(content, document(f"http://{seed}.test/gone", prose(seed + 700)))
    judge(content, document(f"http://{seed}.test/gone", b"Gone."))


def questions(content: Content, seed: int) -> list[tuple[str, int] | None]:
    asked = [near(prose(seed), 90), *(near(prose(seed + n)) for n in (500, 600, 700))]
    kept = content.judge(
        [
            document(f"http://ask.test/{seed}/{n}", text, source=f"http://{seed}.test/4")
            for n, text in enumerate(asked)
        ]
    )
    found = [one.similar_to for one in kept]
    return [(one.original.url, one.streak) if one else None for one in found]


def answers(seed: int) -> list[tuple[str, int] | None]:
    return [(f"http://{seed}.test/0", 5), None, (f"http://{seed}.test/changed", 5), None]


def test_what_was_committed_is_known_after_a_crash(tmp_path: Path) -> None:
    content = Content(tmp_path)
    for seed in range(1, 40):
        fill(content, seed)
    state = content.commit()
    fill(content, 77)  # too late
    again = Content(tmp_path, state=state)  # nobody has closed the one before
    for seed in range(1, 40):
        assert questions(again, seed) == answers(seed)
    assert questions(again, 77) == [None] * 4


def test_closed_in_good_order_nothing_is_made_again(tmp_path: Path) -> None:
    content = Content(tmp_path)
    for seed in range(1, 10):
        fill(content, seed)
    state = content.commit()
    content.close()
    assert len(list(tmp_path.glob("*.directory"))) == 5
    again = Content(tmp_path, state=state)
    assert all(lookup.is_found for lookup in again._lookups)
    assert again.statistics().sketches == content.statistics().sketches
    for seed in range(1, 10):
        assert questions(again, seed) == answers(seed)


def test_sketches_of_another_recipe_are_not_compared(tmp_path: Path) -> None:
    content, text = Content(tmp_path), prose(1)
    judge(content, document(A, text))
    state = content.commit()
    content.close()
    other = Content(tmp_path, ContentSettings(shingle=3), state)
    assert judge(other, document(B, near(text))).similar_to is None
    assert present(judge(other, document(C, text, markup=b"<i>")).same_text_as).url == A
    assert present(judge(other, document(D, near(text, 5))).similar_to).original.url == B


def test_a_crowd_of_pages_with_much_in_common_is_not_compared_one_by_one(tmp_path: Path) -> None:
    content, template = Content(tmp_path), prose(1, 300)
    count = 400
    for number in range(count):
        text = template + b" " + prose(2000 + number, 200)  # Jaccard about 0.43
        assert judge(content, document(f"{A}/{number}", text)).similar_to is None
    assert content.statistics().compared < 20 * count


def test_pages_that_come_together_are_judged_like_pages_that_come_one_by_one(
    tmp_path: Path,
) -> None:
    """An earlier page of a batch can be what a later one is a copy of, and a URL can come twice."""
    chance, pages = random.Random(7), [document(A, b"short"), redirect(B, C)]
    for number in range(150):
        text, url = prose(number % 40), f"{A}/{chance.randrange(120)}"
        markup = chance.choice([b"<p>", b"<i>"])
        said = text if number % 3 else near(text, number)
        pages.append(document(url, said, markup=markup, source=f"{A}/{number // 2}"))
    together, alone = Content(tmp_path / "together"), Content(tmp_path / "alone")
    assert together.judge(pages) == [judge(alone, page) for page in pages]
    assert together.statistics() == alone.statistics()
    assert together.statistics().duplicates > 10
    assert together.statistics().same_text > 10
    assert together.statistics().near > 10
