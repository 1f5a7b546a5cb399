"""From fragments to a section of the changelog."""

from pathlib import Path

import pytest
from tools.changelog import KINDS, TOP, fragments, release, section

ROOT = Path(__file__).parents[2]
FRAGMENTS = {
    "b.md": "Second: `b`\nin two lines.\n",
    "a.md": "First.\n",
    "c.changed.md": "Another way.\n",
    "d.fixed.md": "It works.\n",
    "README.md": "Not a fragment.\n",
}
SECTION = """## 0.2.0

### New

- First.
- Second: `b` in two lines.

### Changed

- Another way.

### Mended

- It works.
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "changelog.d").mkdir()
    for name, text in FRAGMENTS.items():
        (tmp_path / "changelog.d" / name).write_text(text)
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{TOP}\n## 0.1.0\n\n- Old.\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "0.1.0"\n')
    return tmp_path


def test_a_section_has_every_fragment_by_kind(root: Path) -> None:
    assert section(fragments(root), "0.2.0") == SECTION


def test_a_release_moves_fragments_into_the_changelog(root: Path) -> None:
    release(root, "0.2.0")
    text = (root / "CHANGELOG.md").read_text()
    assert text.index("## 0.2.0 (") < text.index("- Another way.") < text.index("## 0.1.0")
    assert 'version = "0.2.0"' in (root / "pyproject.toml").read_text()
    assert [path.name for path in (root / "changelog.d").iterdir()] == ["README.md"]


def test_two_releases_stand_newest_first(root: Path) -> None:
    release(root, "0.2.0")
    (root / "changelog.d" / "later.md").write_text("Later.")
    release(root, "0.3.0rc1")
    text = (root / "CHANGELOG.md").read_text()
    assert text.index("## 0.3.0rc1 (") < text.index("## 0.2.0 (") < text.index("## 0.1.0")


@pytest.mark.parametrize("name", ["x.feature.md", "x.changed.fixed.md"])
def test_a_kind_that_is_not_known_is_named(root: Path, name: str) -> None:
    (root / "changelog.d" / name).write_text("Words.")
    with pytest.raises(SystemExit, match=r"x\..*no known kind"):
        release(root, "0.2.0")


@pytest.mark.parametrize("version", ["", "two", "0.2.0; x", "v0.2.0"])
def test_what_is_no_version_changes_nothing(root: Path, version: str) -> None:
    before = {path: path.read_text() for path in root.rglob("*.*") if path.is_file()}
    with pytest.raises(SystemExit, match="no version like"):
        release(root, version)
    assert {path: path.read_text() for path in root.rglob("*.*") if path.is_file()} == before


def test_fragments_of_this_repository_fit() -> None:
    found = fragments(ROOT)
    assert list(found) == list(KINDS)
    names = {path.name for path in (ROOT / "changelog.d").glob("*.md")}
    assert {path.name for paths in found.values() for path in paths} == names - {"README.md"}
    assert TOP in (ROOT / "CHANGELOG.md").read_text("utf-8")
