"""Parsers of other packages, found by entry points of a package that is really installed."""

from pathlib import Path

import pytest

from gossamer.core.errors import SettingsError
from gossamer.core.outcomes import ParseFailure
from gossamer.core.settings import ParseSettings
from gossamer.pipeline.parse import Isolated, Parsers, find_installed
from tests.pipeline.parse.parse_pages import SPELLING, page_of
from tests.pipeline.parse.sandbox.plugins import install

BOTH = """[gossamer.parsers]
x/here = wicked:read
Text/HTML = wicked:fine

[gossamer.isolated_parsers]
x/* = wicked:read
"""


def test_entry_points_are_found_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, BOTH)
    found = find_installed()
    assert set(found) == {"x/here", "text/html", "x/*"}
    assert found["x/*"] == Isolated("wicked:read")
    settings = ParseSettings(sandbox_seconds=30.0)
    parsers = Parsers(SPELLING, "Gossamer", found, settings)
    pages = [page_of("fine", "x/here"), page_of("fine", "x/there"), page_of("<p>", "text/html")]
    documents = parsers.parse([*pages, page_of("crash", "x/there"), page_of("refuse", "x/here")])
    assert [document.title for document in documents] == ["fine", "fine", "fine", "", ""]
    assert [str(document.failure) for document in documents[3:]] == ["crashed", "broken"]
    assert parsers.statistics().pages == 2
    parsers.close()


def test_what_is_apart_is_not_even_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = "[gossamer.isolated_parsers]\nx/a = wicked:read\n"
    install(tmp_path, monkeypatch, entry, module="import os\nos.abort()\n")
    parsers = Parsers(SPELLING, "Gossamer", find_installed())
    [document] = parsers.parse([page_of("fine", "x/a")])
    assert document.failure is ParseFailure.CRASHED
    assert "SIGABRT" in document.page.detail
    parsers.close()


def test_a_parser_that_cannot_be_loaded_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, "[gossamer.parsers]\nx/a = wicked:nothing\n")
    with pytest.raises(SettingsError, match=r"parser of wicked for x/a .* parse.installed = false"):
        find_installed()
