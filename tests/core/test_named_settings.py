"""Settings given by name are known to type checkers, with the types that they have."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest

import gossamer
from gossamer.core.named_settings import NamedSettings
from gossamer.core.settings import Settings


def _as_given(hint: Any) -> Any:
    """What a program may give for a setting: any sequence for a tuple, any mapping for a dict."""
    if get_origin(hint) is tuple:
        return Sequence[get_args(hint)[0]]  # type: ignore[misc]  # made while it runs
    return Mapping[str, str] if get_origin(hint) is dict else hint


def test_the_names_and_types_are_those_of_the_settings() -> None:
    kinds = {name: kind for name, kind in get_type_hints(Settings).items() if name != "analyzers"}
    sections = [get_type_hints(section) for section in kinds.values()]
    times = Counter(name for fields in sections for name in fields)
    expected = {
        name: _as_given(hint)
        for fields in sections
        for name, hint in fields.items()
        if times[name] == 1 and name != "seeds"
    }
    assert get_type_hints(NamedSettings) == expected


def test_a_wrong_name_and_a_wrong_type_are_found_by_the_type_checker_too(tmp_path: Path) -> None:
    """`make types` complains of an ignored error that is none."""
    out = tmp_path / "out"
    with pytest.raises(gossamer.SettingsError, match="did you mean delay"):
        gossamer.Crawl("http://a.test/", out=out, dellay=3)  # type: ignore[call-arg]
    with pytest.raises(gossamer.SettingsError, match="'ten' is not allowed"):
        gossamer.Crawl("http://a.test/", out=out, max_pages="ten")  # type: ignore[arg-type]
    with pytest.raises(gossamer.DirectoryError):
        gossamer.Crawl.resume(out, max_pages=10)
    with pytest.raises(gossamer.SettingsError, match="did you mean max_pages"):
        gossamer.Crawl.resume(out, max_page=10)  # type: ignore[call-arg]
    with pytest.raises(gossamer.DirectoryError):
        gossamer.Crawl.resume(out, max_pages="ten")  # type: ignore[arg-type]


def test_lists_and_tuples_and_whole_numbers_are_given_as_before(tmp_path: Path) -> None:
    crawl = gossamer.Crawl("http://a.test/", out=tmp_path, include=["a"], delay=3, exclude=("b",))
    assert crawl.settings.scope.include == ("a",)
    assert crawl.settings.politeness.delay == 3
