"""What a newcomer asks of the command line: its help, and options of other programs."""

import re
from typing import Any

import pytest
import typer

from gossamer.cli.app import gather_commands
from gossamer.cli.crawl_options import SETTING_OF
from gossamer.cli.foreign_options import INSTEAD
from gossamer.core import settings_file
from gossamer.core.settings import Settings
from tests.engine.engine_forks import command

_APP: Any = typer.main.get_command(gather_commands())
_CRAWL = _APP.commands["crawl"]


def _options(crawl: Any) -> set[str]:
    return {name for one in crawl.params for name in one.opts}


def _commands(group: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for name, part in group.commands.items():
        is_group = hasattr(part, "commands")
        found += _commands(part, (*path, name)) if is_group else [(*path, name)]
    return found


def test_help_of_a_crawl_shows_defaults_groups_and_words() -> None:
    done = command("crawl", "--help")
    text = " ".join(done.out.split())
    assert "--delay SECONDS Shortest delay" in text
    assert "--include REGEX" in text
    for heading in ("What to fetch:", "When to stop:", "Politeness and identity:", "Network:"):
        assert f"\n{heading}\n" in done.out
    assert re.search(r"--scope KIND [^[]*\[default: host\]", text)
    assert re.search(r"--delay SECONDS [^[]*\[default: 1\]", text)
    assert re.search(r"--new-share SHARE [^[]*\[default: 0\.3\]", text)


@pytest.mark.parametrize("path", _commands(_APP), ids=" ".join)
def test_no_help_has_types_of_python(path: tuple[str, ...]) -> None:
    text = command(*path, "--help").out
    assert "Usage:" in text
    assert not re.search(r"<[a-z]|list\[|<=x|x[<>]=", text)


def test_each_option_of_a_crawl_has_a_setting_or_is_for_the_command() -> None:
    parameters = {one.name for one in _CRAWL.params}
    assert set(SETTING_OF) <= parameters
    for setting in SETTING_OF.values():
        section, _, name = setting.partition(".")
        assert name in settings_file.describe()[section]


@pytest.mark.parametrize(
    ("option", "hint"),
    [
        ("--user-agent", "agent.user_agent"),
        ("--wait", "use --delay SECONDS"),
        ("--level", "use --max-depth NUMBER"),
        ("--accept", "--include REGEX"),
        ("--header", "agent.user_agent"),
        ("-r", "links are followed anyway"),
        ("-s", "use --set section.name=value"),
        ("--max-page", "did you mean --max-pages?"),
    ],
)
def test_options_of_other_programs_lead_to_ours(option: str, hint: str) -> None:
    done = command("crawl", "http://a.test/", "-o", "nowhere", option, "5")
    assert done.status == 1
    assert f"No such option: {option}; " in done.err
    assert hint in done.err
    assert done.err.count("\n") == 1


def test_what_is_like_nothing_gets_no_suggestion() -> None:
    assert command("crawl", "--frobnicate").err == (
        "gossamer: No such option: --frobnicate; see gossamer crawl --help\n"
    )


@pytest.mark.parametrize("option", INSTEAD)
def test_what_is_suggested_exists(option: str) -> None:
    hint, known = INSTEAD[option], _options(_CRAWL)
    assert option not in known
    ours, _, export = hint.partition("gossamer export")
    assert set(re.findall(r"--[a-z][a-z-]*", ours)) <= known
    assert not export or "--format mirror" in export
    for name, value in re.findall(r"--set ([a-z_]+\.[a-z_]+)=([A-Za-z]+)", ours):
        if name != "section.name":
            values: dict[str, Any] = {"NUMBER": 5, "SECONDS": 5, "BYTES": 5, "false": False}
            settings_file.change(Settings(), {name: values.get(value, "text")})


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--max-pages", "ten"), "Invalid value for '--max-pages': give a whole number; see"),
        (("--delay", "slow"), "Invalid value for '--delay': give a number; see"),
        (("--serve-port", "70000"), "'--serve-port': it must be less than or equal to 65535; see"),
        (("--scope", "galaxy"), 'scope.kind: \'galaxy\' is not allowed; choose "site" or "host"'),
        (
            ("--delay", "-1"),
            "politeness.delay: -1.0 is not allowed; give a number from 0 to 2592000",
        ),
    ],
)
def test_a_wrong_value_is_answered_in_words(arguments: tuple[str, ...], complaint: str) -> None:
    done = command("crawl", "http://a.test/", "-o", "nowhere", *arguments)
    assert done.status == 1
    assert complaint in done.err
    assert done.err.count("\n") == 1
