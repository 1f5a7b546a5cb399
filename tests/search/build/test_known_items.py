"""Questions whose answer is known, and weights that are found by them."""

from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from gossamer.cli import run
from gossamer.core import settings_file
from gossamer.core.directory import Directory
from gossamer.core.settings import SearchSettings, Settings
from gossamer.search.build import weight_tuning
from gossamer.search.build.known_items import KINDS, KnownItem, draw_items, hold_out
from gossamer.search.build.weight_trial import KnownItemTrial, Success
from gossamer.search.fields import IndexedPage

LEAVES = ("sencha", "assam", "oolong", "keemun", "gyokuro", "darjeeling", "ceylon", "lapsang")
WAYS = ("steamed", "roasted", "withered", "rolled", "twisted", "smoked", "aged", "scented")


def named(number: int, leaf: str, way: str) -> IndexedPage:
    """A page that others call by its name, while its own text says that of the next page."""
    name, other = f"{leaf} {way}", f"{LEAVES[number % 8]} {WAYS[(number + 3) % 8]}"
    text = f"{other} {other}\n{leaf} is sold here.\nPeople who like it {way} come early."
    return IndexedPage(
        f"http://{number % 2}.test/{number}",
        f"{name} - Tea",
        (name, "Where to buy"),
        (f"{name} tea house",),
        main_text=f"{name}\n{text}",
        full_text=f"Home\n{name}\n{text}",
        language="en",
    )


PAGES = [named(at, *one) for at, one in enumerate(product(LEAVES, WAYS))]


def test_each_question_is_a_name_that_one_page_has() -> None:
    items = draw_items(PAGES, 48, 1)
    assert draw_items(PAGES, 48, 1) == items
    assert draw_items(PAGES, 48, 2) != items
    assert len({item.page for item in items}) == 48
    assert {*Counter(item.kind for item in items)} == {*KINDS}
    for item in items:
        page = PAGES[item.page]
        assert {*item.question.split()} >= {*page.headings[0].split()}
        assert "where" not in item.question, "each page has that"
        assert item.kind == "anchor" or "tea" not in item.question.split(), "decoration"


def test_what_is_held_out_is_nowhere_else() -> None:
    page = PAGES[9]
    for kind in ("title", "heading"):
        held = hold_out(page, KnownItem(page.headings[0], 9, kind))
        assert (held.title, held.headings) == ("", ("Where to buy",))
        assert page.headings[0] not in held.full_text.split("\n")
        assert page.headings[0] not in held.main_text.split("\n")
        assert held.anchors == page.anchors
        assert "is sold here" in held.main_text
    held = hold_out(page, KnownItem(page.headings[0], 9, "anchor"))
    assert (held.anchors, held.title) == ((), page.title)


def test_anchor_texts_find_what_has_lost_its_own_name() -> None:
    items = [item for item in draw_items(PAGES, 48, 1) if item.kind != "anchor"]
    without, usual = SearchSettings(anchors=0), SearchSettings()
    blind = Success.of(KnownItemTrial(PAGES, items, without).ranks(items, without))
    found = Success.of(KnownItemTrial(PAGES, items, usual).ranks(items, usual))
    assert found.mean_reciprocal_rank > blind.mean_reciprocal_rank
    assert found.at_1 > 0.9


def test_tuning_finds_what_helps_and_is_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        weight_tuning, "_STEPS", {"anchors": (0, 2, 4), "near": (0.0, 1.0), "url": (1, 2)}
    )
    items = draw_items(PAGES, 48, 1)
    start = SearchSettings(anchors=0, near=0.0)
    runs = [
        [*weight_tuning._Search(PAGES[:40], [one for one in items if one.page < 40], start).run()]
        for _ in "12"
    ]
    assert runs[0] == runs[1]
    first, last = runs[0][0], runs[0][-1]
    assert last.is_done
    assert first.settings == start
    assert last.settings.anchors > 0
    assert last.learned.mean_reciprocal_rank > first.learned.mean_reciprocal_rank
    assert last.set_aside.mean_reciprocal_rank >= first.set_aside.mean_reciprocal_rank


def test_what_tuning_finds_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(weight_tuning, "_STEPS", {"anchors": (0, 2)})
    monkeypatch.setattr(weight_tuning, "read_collection", lambda *_: PAGES)
    with Directory(tmp_path / "out") as made:
        start = Settings(search=SearchSettings(anchors=0))
        made.create(start, lambda folder: None)
    command = ["index", "tune", str(tmp_path / "out"), "-q"]
    assert run([*command, "--dry-run"]) == 0
    assert settings_file.read(tmp_path / "out" / "crawl.toml") == start
    said = capsys.readouterr().out
    assert "anchors 0 → 2" in said
    assert run(command) == 0
    assert capsys.readouterr().out.startswith(said)
    assert settings_file.read(tmp_path / "out" / "crawl.toml") == Settings(
        search=SearchSettings(anchors=2)
    )
    assert run([*command, "--questions", "39"]) == 1
