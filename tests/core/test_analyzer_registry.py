"""The analyzers that are known, and mistakes in what they say of themselves."""

import subprocess
import sys

import pytest
from msgspec import Struct

from gossamer.core import settings_file
from gossamer.core.analyzer_protocol import Declaration, PageColumn
from gossamer.core.analyzer_registry import (
    always_stored,
    check_columns,
    declared,
    explain_page,
    is_error,
    optional_of,
)
from gossamer.core.errors import SettingsError
from gossamer.core.outcomes import Refusal
from gossamer.core.settings import Settings
from gossamer.engine.summary import Summary


def test_columns_and_counts_have_one_owner() -> None:
    check_columns(declared())
    counts = [count.name for one in declared() for count in one.counts]
    assert len(counts) == len(set(counts))
    for one in declared():
        if not one.is_optional:
            assert {count.name for count in one.counts} <= set(Summary.__struct_fields__)


def test_every_refusal_that_is_said_of_whole_pages_has_an_analyzer() -> None:
    refusals = [refusal for one in declared() for refusal in one.refusals]
    assert sorted(refusals) == sorted(
        [
            *(Refusal.DUPLICATE_CONTENT, Refusal.NEAR_DUPLICATE),
            *(Refusal.SOFT_ERROR, Refusal.NOFOLLOW),
        ]
    )


def test_what_is_off_is_not_asked_for() -> None:
    assert optional_of(Settings()) == []
    on = settings_file.change(Settings(), {"language.detect": True})
    [(found, own)] = optional_of(on)
    assert (found.name, own.detect) == ("language", True)
    assert settings_file.change(on, {"language.detect": False}) == Settings()


def test_sections_of_analyzers_are_written_and_read_like_others() -> None:
    on = settings_file.change(Settings(), {"language.detect": True})
    assert "[language]" in settings_file.write(Settings())
    assert settings_file.change(on, {"crawl.max_pages": 3}).analyzers == on.analyzers
    with pytest.raises(SettingsError, match=r"no setting language\.detct; did you mean"):
        settings_file.change(Settings(), {"language.detct": True})
    with pytest.raises(
        SettingsError, match=r"language\.detect: .* is not allowed; give true or false"
    ):
        settings_file.change(Settings(), {"language.detect": 3})


class Own(Struct, frozen=True):
    """Settings."""


def declare(name: str, *columns: str, inputs: tuple[str, ...] = ()) -> Declaration:
    made = tuple(PageColumn(column, "bool", "?") for column in columns)
    return Declaration(name=name, about="?", columns=made, inputs=inputs, settings=Own)


def test_a_column_is_made_by_one_analyzer() -> None:
    with pytest.raises(SettingsError, match="one and two both make a column spam"):
        check_columns([declare("one", "spam"), declare("two", "spam")])


def test_inputs_are_made_before_they_are_read() -> None:
    check_columns([declare("one", "spam"), declare("two", "rank", inputs=("spam",))])
    with pytest.raises(SettingsError, match="two reads the column spam, which no analyzer before"):
        check_columns([declare("two", "rank", inputs=("spam",)), declare("one", "spam")])


def test_pages_are_explained_by_the_columns_they_have() -> None:
    page = dict.fromkeys([column.name for column in always_stored()])
    assert list(explain_page(page)) == []
    page |= {"is_soft_error": True, "near_of": "http://a.test/", "similarity": 0.9}
    assert [about for about, _ in explain_page(page)] == ["copy", "soft error"]
    assert is_error(page)


def test_declarations_load_no_kernels() -> None:
    """Whatever reads a table knows its columns: that must be quick."""
    code = (
        "import sys; from gossamer.core.analyzer_registry import declared; declared(); "
        "sys.exit(', '.join({'numba', 'pyarrow', 'resiliparse'} & set(sys.modules)) or 0)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
