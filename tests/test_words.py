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
}
"""In sentences."""
ALLOWED: dict[str, str] = {
    "core/directory.py": "names a folder of earlier versions, to refuse their crawl directories",
    "lab/vocabulary.py": "words that simulated pages are made of",
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
    question = re.compile(r"(What|Who|When|Where|Whether|Why|How|That)\b")
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        if question.match(said):
            found[str(path.relative_to(ROOT))] = said.partition("\n")[0]
    assert found == {}
