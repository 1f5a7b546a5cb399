"""Words that were replaced do not come back: in names, docstrings, comments and messages of the package."""

import ast
import re
import tokenize
from io import StringIO
from pathlib import Path

import gossamer

ROOT = Path(gossamer.__file__).parent
NAMES = {
    "anew": "rebuild, again",
    "attic": "deferred delete",
    "cellar": "disk cache",
    "crate": "commit bundle",
    "diary": "log",
    "furnish": "build",
    "harvest": "output",
    "lull": "idle time",
    "newest": "latest",
    "obedience": "commands",
    "parcel": "rank update",
    "switchboard": "connection listener",
    "taste": "plugins",
    "worries": "warnings",
}
"""Parts of names, and what to say instead."""
WORDS = {
    r"on record\b": "recorded",
    r"in force\b": "active",
    r"anew\b": "again",
    r"harvest\b": "output",
    r"obedience\b": "commands",
    r"kept apart\b": "set aside",
    r"the nest\b": "the fork server",
    r"at home\b": "in remote storage",
    r"somebody\b": "a user, a process, another partition: name it",
    r"whoever\b": "a reader, a caller, a process: name it",
    r"told apart\b": "distinguished",
    r"at most so many\b": "at most this many",
    r"no component (on|there|for|from)\b": "no space",
    r"nests?\b": "fork server",
    r"desks?\b": "command handler, workspace",
    r"errands?\b": "task",
    r"crates?\b": "commit bundle",
    r"switchboard\b": "connection listener",
    r"cellars?\b": "disk cache",
    r"(put|puts) recorded\b": "record",
    r"gaps? between( two)? requests": "delay",
    r"(the|a) watch (that|is|was|sees|says|has)\b": "redundancy filter",
}
"""In sentences."""
QUESTIONS = re.compile(r"(What|Who|When|Where|Whether|Why|How|That|Whoever|Whatever)\b")
ALLOWED: dict[str, str] = {
    "core/directory.py": "names a folder of earlier versions, to refuse their crawl directories",
    "lab/vocabulary.py": "words that simulated pages are made of",
    "search/terms.py": "words that a question may have besides those to look for",
}
"""Files that may have such words, and why."""


def _files() -> list[Path]:
    return [one for one in sorted(ROOT.rglob("*.py")) if str(one.relative_to(ROOT)) not in ALLOWED]


def _tokens(path: Path) -> list[tokenize.TokenInfo]:
    return list(tokenize.generate_tokens(StringIO(path.read_text("utf-8")).readline))


def test_names_use_the_words_of_the_field() -> None:
    found = {}
    for path in _files():
        for token in _tokens(path):
            if token.type == tokenize.NAME:
                pieces = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", token.string)
                parts = {one.lower().removesuffix("s") for one in pieces}
                for word in sorted(parts & {one.removesuffix("s") for one in NAMES}):
                    found[f"{path.relative_to(ROOT)}:{token.start[0]}"] = (token.string, word)
    assert found == {}


def test_sentences_use_the_words_of_the_field() -> None:
    banned = re.compile(rf"\b({'|'.join(WORDS)})", re.IGNORECASE)
    found = {}
    for path in _files():
        for token in _tokens(path):
            if token.type in (tokenize.COMMENT, tokenize.STRING):
                for match in banned.finditer(token.string):
                    found[f"{path.relative_to(ROOT)}:{token.start[0]}"] = match.group()
    assert found == {}


def test_modules_begin_with_the_thing_or_the_verb() -> None:
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        if QUESTIONS.match(said):
            found[str(path.relative_to(ROOT))] = said.partition("\n")[0]
    assert found == {}


def test_functions_and_classes_begin_with_the_thing_or_the_verb() -> None:
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        name = str(path.relative_to(ROOT))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
                said = ast.get_docstring(node) or ""
                if QUESTIONS.match(said):
                    found[f"{name}:{node.lineno}"] = said.partition("\n")[0]
    assert found == {}
