"""Words of the glossary are words of the code, at the place that it names."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROWS = re.findall(
    r"^\| ([^|]+?) \| (.+?) \| `([^`]+)` \|$",
    (ROOT / "docs" / "glossary.md").read_text("utf-8"),
    re.MULTILINE,
)


def test_there_is_one_entry_for_each_word_by_the_alphabet() -> None:
    words = [word.lower() for word, _, _ in ROWS]
    assert len(words) <= 25
    assert words == sorted(set(words))


@pytest.mark.parametrize(("word", "meaning", "place"), ROWS, ids=[row[0] for row in ROWS])
def test_the_place_exists_and_speaks_of_it(word: str, meaning: str, place: str) -> None:
    text = (ROOT / "src" / "gossamer" / place).read_text("utf-8").lower()
    names = [name.strip().lower() for name in word.split(",")]
    assert any(re.sub(r"[ -]", "", name) in re.sub(r"[ _\n-]", "", text) for name in names)
    assert meaning.endswith(".")
