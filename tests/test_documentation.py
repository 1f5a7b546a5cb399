"""Nothing public goes undocumented, and what the documentation says is so."""

import doctest
import importlib.util
import pkgutil
import re
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import gossamer
from gossamer.core import settings_file
from gossamer.core.outcomes import Outcome, ParseFailure, Refusal, Truncation
from gossamer.core.records import Entry, Headers, Visit
from gossamer.core.url import Url
from gossamer.engine.summary import COPIED
from gossamer.lab import KNOWN, LoggedRequest
from gossamer.output.links_table import LINK_MEANINGS, links_schema
from gossamer.output.pages_table import page_meanings, pages_schema
from gossamer.text.text_columns import TEXT_MEANINGS, text_schema
from tests.present import parse
from tools import reference

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(gossamer.__path__, "gossamer.")
    if not module.name.endswith("__main__")
)


def _has_examples(name: str) -> bool:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    is_python = spec.origin.endswith(".py")  # and not the library of kernels
    return is_python and ">>> " in Path(spec.origin).read_text("utf-8")


@cache
def reference_pages() -> dict[str, str]:
    return reference.pages()


@pytest.mark.parametrize("name", [one for one in ("gossamer", *MODULES) if _has_examples(one)])
def test_examples_in_docstrings_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
    assert result.attempted > 0


@pytest.mark.parametrize("name", reference_pages())
def test_reference_pages_are_up_to_date(name: str) -> None:
    assert (ROOT / "docs" / name).read_text("utf-8") == reference_pages()[name], "run `make docs`"


def test_every_setting_says_what_it_is_for() -> None:
    silent = [
        f"{section}.{name}"
        for section, fields in settings_file.describe().items()
        for name, (_, _, purpose) in fields.items()
        if not purpose.endswith((".", "…"))
    ]
    assert silent == []


def test_every_command_and_option_says_what_it_does() -> None:
    rows = re.findall(r"^\| `(.+?)` \| (.*) \|$", reference_pages()["commands.md"], re.MULTILINE)
    assert len(rows) > 30
    assert [name for name, purpose in rows if not purpose] == []


@pytest.mark.parametrize("name", gossamer.__all__)
def test_every_public_name_has_a_docstring(name: str) -> None:
    thing = getattr(gossamer, name)
    assert ">>> " in thing.__doc__, "a public name has an example"
    assert f"## `gossamer.{name}`" in reference_pages()["library.md"]


@pytest.mark.parametrize(
    "kind",
    [
        *(gossamer.Candidate, gossamer.Document, gossamer.Link, gossamer.Page, gossamer.Summary),
        *(
            Entry,
            LoggedRequest,
            Url,
            Visit,
            Outcome,
            ParseFailure,
            Refusal,
            Truncation,
            gossamer.Reading,
        ),
    ],
)
def test_every_field_and_member_says_what_it_means(kind: type) -> None:
    fields = reference.fields_of(kind)
    assert len(fields) >= 4
    assert [field.name for field in fields if not field.purpose] == []


@pytest.mark.parametrize(
    ("schema", "meanings"),
    [
        (pages_schema(), page_meanings()),
        (links_schema(), LINK_MEANINGS),
        (text_schema(), TEXT_MEANINGS),
    ],
)
def test_every_column_says_what_it_means(schema: pa.Schema, meanings: dict[str, str]) -> None:
    assert list(meanings) == schema.names


def test_every_way_to_stop_is_named() -> None:
    text = "".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    calls = "".join(re.findall(r"""\.stop\(("\w+"[^)]*)\)""", text))
    reasons = set(re.findall(r'''"(\w+)"''', calls)) | {"interrupted"}  # which is the default
    assert reasons >= {"finished", "max_pages", "failed", "max_errors"}
    assert reasons == set(reference.STOPPED_BY) - {"", COPIED}  # nobody orders these


def test_every_behaviour_is_listed_with_its_groups() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| ([a-z, ]+) \| .+ \|$", reference_pages()["behaviours.md"], re.MULTILINE
    )
    assert [name for name, _ in rows] == list(KNOWN)


def test_every_benchmark_is_listed() -> None:
    text = (ROOT / "benchmarks" / "README.md").read_text("utf-8")
    modules = [path.stem for path in (ROOT / "benchmarks").glob("[!_]*.py")]
    assert [name for name in modules if f"`{name}`" not in text] == []


def test_examples_of_extensions_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    text = (ROOT / "docs" / "extending.md").read_text("utf-8")
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(block, names)
    manual, news = parse("https://example.org/manual/1"), parse("https://example.org/news/1")
    assert names["only_manuals"](gossamer.Link("", manual))
    assert not names["only_manuals"](gossamer.Link("", news))
    page = gossamer.Page(Visit(news), Outcome.FETCHED, 0.0, status=200, body=b'{"next": "?page=2"}')
    [link] = names["read_json"](page).links
    assert link.target.text == "https://example.org/news/1?page=2"
    assert names["news_first"](gossamer.Candidate(news)) == 1.0


def test_examples_of_reading_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The crawl in it is of a web that is not there; what it does with a document is run."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "reading.md").read_text("utf-8")
    body = b"<title>T</title><meta name=description content=D><main><p>Words of it.</main>"
    url = parse("https://example.org/")
    headers = Headers([("Content-Type", "text/html")])
    page = gossamer.Page(Visit(url), Outcome.FETCHED, 0.0, status=200, headers=headers, body=body)
    monkeypatch.setattr(gossamer, "Crawl", lambda *_, **__: [gossamer.Document(page)])
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(block, names)
    assert names["reading"].main_text == "Words of it."


def test_every_module_says_what_it_is() -> None:
    assert [name for name in MODULES if not importlib.import_module(name).__doc__] == []
    assert gossamer.__doc__


def _pages() -> list[Path]:
    folders = (ROOT / "docs", ROOT / "benchmarks", ROOT / "changelog.d")
    return [*ROOT.glob("*.md"), *(page for folder in folders for page in folder.rglob("*.md"))]


def _anchors(page: Path) -> set[str]:
    """What a link to a heading of the page may say after the `#`."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one).strip().lower().replace(" ", "-") for one in headings}


def test_links_between_pages_lead_somewhere() -> None:
    for page in _pages():
        links = re.findall(r"\]\(([^)#:\s]*)(?:#([^)]*))?\)", page.read_text("utf-8"))
        for target, anchor in links:
            there = page.parent / target if target else page
            assert there.exists(), f"{page.name} links to {target}"
            if anchor and there.suffix == ".md":
                assert anchor in _anchors(there), f"{page.name} links to {target}#{anchor}"


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/design.md", "docs/extending.md"])
def test_files_named_in_the_documentation_exist(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    named = re.findall(r"`((?:src|tests|docs|changelog\.d)/[\w./]*)`", text)
    assert len(named) >= 1
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_commands_of_make_are_told_and_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    [listed] = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    told = set(re.findall(r"make ([\w-]+)", text))
    assert told - {"sure"} <= set(listed.split())
    assert set(listed.split()) - {"clean", "unit", "contracts", "types", "lint"} <= told


def test_commands_in_the_readme_exist() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    used = set(
        re.findall(r"gossamer (crawl|status|explain|settings|sim serve|graph build|[a-z]+) ", text)
    )
    known = set(
        re.findall(r"## `gossamer ([a-z -]+?)(?: [A-Z]+)*`", reference_pages()["commands.md"])
    )
    assert used - {"is"} <= known, used - known
