"""Nothing public goes undocumented, and what the documentation says is so."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import gossamer
from gossamer.base import recipe
from gossamer.cli import reference

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(gossamer.__path__, "gossamer.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", ["gossamer", *MODULES])
def test_examples_in_docstrings_run(name: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


@pytest.mark.parametrize("name", reference.pages())
def test_reference_pages_are_up_to_date(name: str) -> None:
    assert (ROOT / "docs" / name).read_text("utf-8") == reference.pages()[name], "run `make docs`"


def test_every_setting_says_what_it_is_for() -> None:
    silent = [
        f"{section}.{name}"
        for section, fields in recipe.describe().items()
        for name, (_, _, purpose) in fields.items()
        if not purpose.endswith((".", "…"))
    ]
    assert silent == []


def test_every_command_and_option_says_what_it_does() -> None:
    rows = re.findall(r"^\| `(.+?)` \| (.*) \|$", reference.pages()["commands.md"], re.MULTILINE)
    assert len(rows) > 30
    assert [name for name, purpose in rows if not purpose] == []


@pytest.mark.parametrize("name", gossamer.__all__)
def test_every_public_name_has_a_docstring(name: str) -> None:
    thing = getattr(gossamer, name)
    assert ">>> " in thing.__doc__, "a public name has an example"
    assert f"## `gossamer.{name}`" in reference.pages()["library.md"]


@pytest.mark.parametrize("name", ["gossamer", *MODULES])
def test_every_module_says_what_it_is(name: str) -> None:
    assert importlib.import_module(name).__doc__


def test_links_between_pages_lead_somewhere() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_commands_in_the_readme_exist() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    used = set(re.findall(r"gossamer (crawl|status|explain|settings|sim serve|[a-z]+) ", text))
    known = set(
        re.findall(r"## `gossamer ([a-z -]+?)(?: [A-Z]+)?`", reference.pages()["commands.md"])
    )
    assert used - {"is"} <= known, used - known
