import re
import tomllib
from pathlib import Path

import pytest

from gossamer.core import settings_file
from gossamer.core.errors import SettingsError
from gossamer.core.settings import Settings


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    settings = settings_file.change(
        Settings(),
        {"crawl.seeds": ["http://a.test/", 'quo"te\\'], "fetch.timeout": 7, "robots.obey": False},
    )
    path = tmp_path / "crawl.toml"
    path.write_text(settings_file.write(settings))
    assert settings_file.read(path) == settings


def test_every_knob_is_written_with_a_comment() -> None:
    text = settings_file.write(Settings())
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
        (
            "[fetch]\ntransfers = 0",
            "fetch.transfers: 0 is not allowed; give a whole number from 1 to 20000",
        ),
        (
            "[fetch]\ntimeout = 'x'",
            "fetch.timeout: 'x' is not allowed; give a number, more than 0 and at most 1000000",
        ),
        (
            "[scope]\nkind = 'galaxy'",
            'scope.kind: \'galaxy\' is not allowed; choose "site" or "host" or "domain" or "all"',
        ),
        (
            "[politeness]\ndelay = -1",
            "politeness.delay: -1 is not allowed; give a number from 0 to 2592000",
        ),
        ("[robots]\nobey = 1", "robots.obey: 1 is not allowed; give true or false"),
        (
            "[scope]\ninclude = [3]",
            "scope.include: this value is not allowed; give a list of texts",
        ),
        ("[dns]\nfamilies = ['x']", 'dns.families: .*; give a list of "ipv4" and "ipv6"'),
        ("[fetch", "is not valid TOML: .*; correct it, or restore it from a copy"),
    ],
)
def test_a_mistake_is_one_clear_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "crawl.toml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=message) as caught:
        settings_file.read(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", ["{a = 5}", "'user:pass-word'", "['pass-word']"])
def test_a_mistake_in_a_login_is_not_repeated(value: str, tmp_path: Path) -> None:
    path = tmp_path / "crawl.toml"
    path.write_text(f"[fetch]\nlogins = {value}")
    with pytest.raises(SettingsError, match="give a table of texts") as caught:
        settings_file.read(path)
    assert "pass-word" not in str(caught.value)


def test_no_setting_is_explained_in_the_words_of_a_library() -> None:
    """Whatever the setting, an object that none can be is refused in words."""
    for section, fields in settings_file.describe().items():
        for name in fields:
            with pytest.raises(SettingsError) as caught:
                settings_file.change(Settings(), {f"{section}.{name}": [{"no": "value"}]})
            said = str(caught.value)
            assert said.startswith(f"{section}.{name}: this value is not allowed; "), said
            assert "`" not in said


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read: No such file"):
        settings_file.read(tmp_path / "none.toml")


def test_names_alone_find_their_section() -> None:
    assert settings_file.find("delay") == "politeness.delay"
    with pytest.raises(SettingsError, match=r"there is no setting dealy; did you mean delay\?"):
        settings_file.find("dealy")


def test_settings_of_an_earlier_version_that_are_gone_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "crawl.toml"
    path.write_text("[detect]\nmemory = 8\npause_below = 0.05\nlooks = 5\n")
    assert settings_file.read(path).detect.looks == 5
    with pytest.raises(SettingsError, match=r"no setting detect\.memory"):
        settings_file.change(Settings(), {"detect.memory": 8})


@pytest.mark.parametrize("seconds", [999_999_999_999, float("inf"), float("nan")])
def test_no_setting_takes_a_time_without_end(seconds: float) -> None:
    """A gap of 31,000 years is a mistake; it would stop a crawl and say nothing."""
    times = [
        f"{section}.{name}"
        for section, fields in settings_file.describe().items()
        for name, (kind, _, about) in fields.items()
        if kind == "float" and re.search("seconds|many days", about, re.IGNORECASE)
    ]
    assert len(times) > 40
    for name in times:
        with pytest.raises(SettingsError, match=rf"^{name}: .* is not allowed; give a number"):
            settings_file.change(Settings(), {name: seconds})
