"""Names in the documentation cannot go stale: each is one that the sources know."""

import ast
import pkgutil
import re
import tokenize
import tomllib
from collections.abc import Iterator
from enum import StrEnum
from io import StringIO
from pathlib import Path

import pytest

from gossamer.core import settings_file
from gossamer.core.outcomes import Outcome, ParseFailure, Truncation
from gossamer.core.records import Via
from tools import reference

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
IDS = [page.name for page in PAGES]
COMMANDS = reference.pages()["commands.md"]


def _spoken(text: str) -> set[str]:
    """What stands in backticks, code blocks apart."""
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return {" ".join(one.split()) for one in re.findall(r"`([^`]+)`", prose)}


def _documentation_of(tree: ast.AST) -> set[ast.Constant]:
    """Strings that are statements: docstrings, and what stands below a field."""
    statements = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    return {one for one in statements if isinstance(one, ast.Constant)}


def _without_documentation(text: str) -> str:
    """Names, and strings that are used; comments are left out, too."""
    lines = text.encode().splitlines()
    for one in _documentation_of(ast.parse(text)):
        for number in range(one.lineno, (one.end_lineno or one.lineno) + 1):
            lines[number - 1] = b""
    return re.sub(r"(?m)#.*$", "", b"\n".join(lines).decode())


@pytest.fixture(scope="module")
def known_words() -> set[str]:
    """Every name and every word of a string in the sources, but not in their documentation."""
    words: set[str] = set()
    for path in SOURCES:
        text = path.read_text("utf-8")
        words |= set(re.findall(r"\w+", _without_documentation(text)))
        words |= set(path.relative_to(ROOT).with_suffix("").parts)
    words |= {path.stem for path in (ROOT / "tests").rglob("*.py")}
    kinds = {"parse": ParseFailure, "truncated": Truncation}  # as they are counted
    words |= {f"{name}_{member}" for name, kind in kinds.items() for member in kind}
    troubles = ["503", "undecodable", *Outcome, *(f"truncated_{member}" for member in Truncation)]
    words |= {f"robots_{trouble}" for trouble in troubles}
    return words


def _strangers(spoken: set[str], known: set[str]) -> set[str]:
    """Names with an underscore that nobody in the sources knows."""
    names = {name for one in spoken for name in re.findall(r"\b[a-z]\w*_\w+\b", one)}
    return names - known


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_names_in_the_documentation_are_names_in_the_sources(
    page: Path, known_words: set[str]
) -> None:
    text = page.read_text("utf-8")
    defined = set(re.findall(r"^(?:async )?def (\w+)", text, re.MULTILINE))
    assert _strangers(_spoken(text), known_words | defined) == set()


def test_names_in_docstrings_are_names_in_the_sources(known_words: set[str]) -> None:
    strangers = {}
    for path in SOURCES:
        told = _documentation_of(ast.parse(path.read_text("utf-8")))
        spoken = {word for one in told for word in _spoken(str(one.value))}
        if found := _strangers(spoken, known_words):
            strangers[path.name] = found
    assert strangers == {}


PACKAGE = ROOT / "src" / "gossamer"
DATA = {"forms", "graph", "index", "items", "links", "log", "pages", "state", "text", "warc"}
"""Folders of a crawl directory; the rest of such a path is no file of the tree."""
RETIRED = {"0073", "0079"}
"""Decisions that compare old names with new ones."""
NO_FILES = {"NAME.md", "manage.py", "url/resources"}
"""A placeholder, and paths of other projects."""


def _is_folder_of_code(name: str) -> bool:
    return any(path.is_dir() for path in PACKAGE.rglob(name)) and name not in DATA


def _prose() -> Iterator[tuple[str, str]]:
    """Comments and docstrings of all Python files, and all pages, by the names of their files."""
    for folder in ("src", "tests", "tools", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text("utf-8")
            tokens = tokenize.generate_tokens(StringIO(text).readline)
            comments = [one.string for one in tokens if one.type == tokenize.COMMENT]
            told = [str(one.value) for one in _documentation_of(ast.parse(text))]
            yield str(path.relative_to(ROOT)), "\n".join([*comments, *told])
    for page in [*PAGES, *sorted((ROOT / "docs" / "decisions").glob("*.md"))]:
        if page.name[:4] not in RETIRED:
            yield str(page.relative_to(ROOT)), page.read_text("utf-8")


@pytest.fixture(scope="module")
def known_paths() -> set[str]:
    """Ends of the paths of all files and folders of the tree, Python files with and without `.py`."""
    paths: set[str] = set()
    tops = [ROOT / name for name in ("src", "tests", "tools", "benchmarks", "docs", "deploy")]
    for path in [*ROOT.glob("*"), *(one for top in tops for one in top.rglob("*"))]:
        parts = path.relative_to(ROOT).parts
        ends = {"/".join(parts[at:]) for at in range(len(parts))}
        paths |= ends | {one.removesuffix(".py") for one in ends}
    return paths


def test_files_that_are_named_exist(known_paths: set[str]) -> None:
    """Names of Python files and pages anywhere in prose, and in backticks paths within the tree."""
    missing = {}
    for name, text in _prose():
        plain = set(re.findall(r"(?<![\w/.<*{-])((?:[\w-]+/)*[\w-]+\.(?:py|md))(?![\w*])", text))
        quoted = re.findall(r"`(?:\./)?([a-z_]+(?:/[a-z_0-9]+)+)/?`", text)
        paths = {one for one in quoted if _is_folder_of_code(one.partition("/")[0])}
        named = {one for one in plain | paths if one.split("/")[0] not in DATA}
        if found := named - known_paths - NO_FILES:
            missing[name] = sorted(found)
    assert missing == {}


def test_lists_of_modules_in_packages_name_their_modules() -> None:
    """A list `name  what it does` in a package's docstring has the names that the files have now."""
    stale = {}
    for path in sorted(PACKAGE.rglob("__init__.py")):
        modules = {one.stem for one in path.parent.iterdir()}
        told = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        for block in re.findall(r"(?:^    .*\n?)+", told, re.MULTILINE):
            named = re.findall(r"^    (\w+)  +\S", block, re.MULTILINE)
            if len(named) > 2 and modules & {*named} and (old := {*named} - modules):
                stale[str(path.relative_to(PACKAGE))] = sorted(old)
    assert stale == {}


def test_layers_in_the_design_are_those_of_the_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = contracts["contracts"][0]["layers"]
    design = (ROOT / "docs" / "design.md").read_text("utf-8")
    [told] = re.findall(r"may import whom\.\*\* (.*?): each may", design, re.DOTALL)
    groups = [set(re.findall(r"`(\w+)`", one)) for one in told.split("then")]
    assert groups == [{*one.split(" | ")} for one in layers]


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_settings_in_the_documentation_are_settings(page: Path) -> None:
    known = {f"{one}.{name}" for one, fields in settings_file.describe().items() for name in fields}
    sections = "|".join(settings_file.describe())
    text = re.sub(r"```python.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    named = re.findall(rf"(?<![\w./])((?:{sections})\.[a-z_]+)(?![\w(])", text)
    files = (".toml", ".txt", ".py", ".md")
    assert {one for one in named if not one.endswith(files)} - known == set()


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_parts_of_the_package_in_the_documentation_are_there(
    page: Path, known_words: set[str]
) -> None:
    """Names of modules and what is in them, and groups of entry points."""
    for name in set(re.findall(r"(?<![\w.\"])gossamer(?:\.\w+)+", page.read_text("utf-8"))):
        last = name.rpartition(".")[2]
        if name in entry_point_groups():
            assert last in known_words
        else:
            assert _resolve(name) is not None, name


def entry_point_groups() -> set[str]:
    """What the sources look for among installed packages."""
    texts = [path.read_text("utf-8") for path in SOURCES]
    text = "".join(one for one in texts if "find_entry_points(" in one)
    return set(re.findall(r'(?:find_entry_points\(|^_\w+ = )"(gossamer\.\w+)"', text, re.MULTILINE))


def test_every_group_of_entry_points_is_documented_and_tried() -> None:
    tried = (ROOT / "tests/extensions/sampler/pyproject.toml").read_text("utf-8")
    told = (ROOT / "docs/extending.md").read_text("utf-8")
    groups = entry_point_groups()
    assert len(groups) >= 6
    assert {one for one in groups if f'entry-points."{one}"' not in tried} == set()
    assert {one for one in groups if f"| `{one}` |" not in told} == set()


def _resolve(name: str) -> object:
    try:
        return pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return None


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_commands_and_options_in_the_documentation_exist(page: Path) -> None:
    known = dict(
        re.findall(
            r"^## `(gossamer [a-z ]+).*?`\n(.*?)(?=^## |\Z)", COMMANDS, re.MULTILINE | re.DOTALL
        )
    )
    options = {name.strip(): set(re.findall(r"(--?[\w-]+)", text)) for name, text in known.items()}
    for line in re.findall(r"^gossamer [a-z].*$", page.read_text("utf-8"), re.MULTILINE):
        line = line.partition("#")[0]
        command = max((one for one in options if line.startswith(one)), key=len, default="")
        assert command, line
        assert set(re.findall(r"(?<=\s)--?[a-z][\w-]*", line)) <= options[command], line


@pytest.mark.parametrize(
    ("begin", "kind", "unmentioned"),
    [
        ("How it came to be known", Via, set()),
        ("The source of the URL: ", Via, {"robots"}),  # which have no rows
        ("The reason why the body could not be read: ", ParseFailure, {""}),
        ("The reason why the body is cut short: ", Truncation, {"", "unspecified"}),
    ],
)
def test_lists_of_values_are_complete(
    begin: str, kind: type[StrEnum], unmentioned: set[str]
) -> None:
    text = "".join(reference.pages().values())
    sentences = re.findall(rf"\| ({begin}.*?) \|", text)
    assert sentences
    for sentence in sentences:
        missing = {member.value for member in kind} - set(re.findall(r"\w+", sentence))
        assert missing - unmentioned == set(), sentence


def test_what_counts_is_explained() -> None:
    """Whatever stands under `refused` or `errors` is in the documentation."""
    text = "".join(page.read_text("utf-8") for page in PAGES)
    sources = "".join(path.read_text("utf-8") for path in SOURCES)
    counted = set(re.findall(r'(?:counts|errors|refused)\["(\w+)"\]', sources))
    assert counted >= {"order_error", "budget_error"}
    assert {name for name in counted if f"`{name}`" not in text} == set()
