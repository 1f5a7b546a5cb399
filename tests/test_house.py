"""The house itself: its components are where the drawing has them, and each name means one thing."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import gossamer

ROOT = Path(gossamer.__file__).parent
TOP = {
    *(
        "analyzers",
        "archive",
        "cli",
        "cluster",
        "core",
        "dashboard",
        "engine",
        "export",
        "forms",
        "graph",
        "items",
    ),
    *("lab", "output", "pipeline", "policy", "push", "report", "search", "text", "verify"),
}
SCREEN = 60
"""Lines that a screen shows."""


def classes() -> Iterator[tuple[str, Path]]:
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, path


def test_the_hall_has_the_rooms_of_the_drawing() -> None:
    found = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert found == TOP
    files = {path.name for path in ROOT.glob("*.py")}
    assert files == {"__init__.py", "__main__.py"}


def test_no_two_classes_have_the_same_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for name, path in classes():
        places[name].append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_a_turn_of_the_ring_is_on_one_screen() -> None:
    [ring] = [
        node
        for node in ast.parse((ROOT / "engine" / "ring.py").read_text("utf-8")).body
        if isinstance(node, ast.ClassDef)
    ]
    steps = {node.name: node for node in ring.body if isinstance(node, ast.FunctionDef)}
    last = steps["admit"].end_lineno
    assert last is not None
    assert last - steps["turn"].lineno < SCREEN
