import tomllib
from pathlib import Path

import pytest

from gossamer.base import recipe
from gossamer.base.errors import SettingsError
from gossamer.base.settings import Settings


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    settings = recipe.change(
        Settings(),
        {"crawl.seeds": ["http://a.test/", 'quo"te\\'], "fetch.timeout": 7, "robots.obey": False},
    )
    path = tmp_path / "crawl.toml"
    path.write_text(recipe.write(settings))
    assert recipe.read(path) == settings


def test_every_knob_is_written_with_a_comment() -> None:
    text = recipe.write(Settings())
    lines = text.splitlines()
    for section, fields in tomllib.loads(text).items():
        for name in fields:
            number = next(n for n, line in enumerate(lines) if line.startswith(f"{name} = "))
            assert lines[number - 1].startswith("# "), f"{section}.{name} has no description"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[fetch]\ntimeuot = 5", "there is no setting fetch.timeuot; did you mean fetch.timeout?"),
        ("[fetsch]\ntimeout = 5", "there is no setting fetsch; did you mean fetch?"),
        ("fetch = 5", r"fetch is a section; write \[fetch\]"),
        ("[fetch]\ntransfers = 0", "fetch.transfers: expected `int` >= 1"),
        ("[fetch]\ntimeout = 'x'", "fetch.timeout: expected `float`, got `str`"),
        ("[scope]\nkind = 'galaxy'", "scope.kind: invalid enum value 'galaxy'"),
        ("[fetch", "is not valid TOML: .*; correct it, or restore it from a copy"),
    ],
)
def test_a_mistake_is_one_clear_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "crawl.toml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=message) as caught:
        recipe.read(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read: No such file"):
        recipe.read(tmp_path / "none.toml")


def test_names_alone_find_their_section() -> None:
    assert recipe.find("delay") == "politeness.delay"
    with pytest.raises(SettingsError, match=r"there is no setting dealy; did you mean delay\?"):
        recipe.find("dealy")


def test_settings_of_an_earlier_version_that_are_gone_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "crawl.toml"
    path.write_text("[detect]\nmemory = 8\npause_below = 0.05\nlooks = 5\n")
    assert recipe.read(path).detect.looks == 5
    with pytest.raises(SettingsError, match=r"no setting detect\.memory"):
        recipe.change(Settings(), {"detect.memory": 8})
