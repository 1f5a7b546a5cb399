"""From the fragments in `changelog.d/` to a section of `CHANGELOG.md`.

    python -m tools.changelog          shows what the next section would be
    python -m tools.changelog 0.2.0    writes it, with the version, and deletes the fragments

A fragment is named after what it is about, and may have a kind: `NAME.md`, `NAME.changed.md`.
"""

import re
import sys
from datetime import date
from pathlib import Path

KINDS = {"": "New", "changed": "Changed", "fixed": "Mended"}
TOP = "<!-- The newest section goes below this line. -->\n"


def fragments(root: Path) -> dict[str, list[Path]]:
    """The fragments of each kind, by name."""
    found: dict[str, list[Path]] = {kind: [] for kind in KINDS}
    for path in sorted((root / "changelog.d").glob("*.md")):
        kind = path.stem.partition(".")[2]
        if kind not in KINDS or not path.read_text("utf-8").strip():
            sys.exit(f"{path} is empty or of no known kind; name it NAME.md or NAME.changed.md")
        if path.name != "README.md":
            found[kind].append(path)
    return found


def section(found: dict[str, list[Path]], title: str) -> str:
    """What the fragments say, each as one item of a list."""
    lines = [f"## {title}\n"]
    for kind, paths in found.items():
        said = [" ".join(path.read_text("utf-8").split()) for path in paths]
        lines += [f"\n### {KINDS[kind]}\n\n", *(f"- {one}\n" for one in said)] if said else []
    return "".join(lines)


def release(root: Path, version: str) -> None:
    """Give the fragments their place under the version, and the package its number."""
    found, changelog, project = fragments(root), root / "CHANGELOG.md", root / "pyproject.toml"
    before, top, after = changelog.read_text("utf-8").partition(TOP)
    line = re.compile(r'^version = ".*"$', re.MULTILINE)
    text, count = line.subn(f'version = "{version}"', project.read_text("utf-8"))
    if not re.fullmatch(r"\d+(\.\d+)+((a|b|rc)\d+)?", version) or not top or count != 1:
        sys.exit(f"{version}: no version like 0.2.0, or no place for it in {changelog}")
    new = section(found, f"{version} ({date.today()})")
    changelog.write_text(f"{before}{top}\n{new}{after}", "utf-8")
    project.write_text(text, "utf-8")
    for path in (path for paths in found.values() for path in paths):
        path.unlink()


if __name__ == "__main__":
    here, wanted = Path(__file__).parents[1], sys.argv[1:]
    release(here, *wanted) if wanted else print(section(fragments(here), "Not released yet"))
