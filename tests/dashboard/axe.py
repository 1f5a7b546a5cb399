"""axe-core, which judges whether everybody can use a page. It is not ours: `npm pack axe-core` brings it.

`GOSSAMER_AXE` names its folder or its file; without it, it is looked for in `node_modules`.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.needs import needs

if TYPE_CHECKING:
    from playwright.sync_api import Page

SERIOUS = ("serious", "critical")
_REPORTED = (
    "scrollable-region-focusable",
    "nested-interactive",
    "heading-order",
    "landmark-unique",
)
"""Less than serious, some of them, and kept out all the same."""


def read_axe() -> str:
    """The script; the test is skipped where it is not."""
    said = os.environ.get("GOSSAMER_AXE", "")
    folders = (
        [Path(said)]
        if said
        else [one / "node_modules" / "axe-core" for one in (Path.cwd(), *Path.cwd().parents)]
    )
    files = [one if one.is_file() else one / "axe.min.js" for one in folders]
    found = next((one for one in files if one.is_file()), None)
    if found is None:
        pytest.skip(needs("axe", "axe-core is not there (npm pack axe-core; GOSSAMER_AXE=FOLDER)"))
    return found.read_text()


def judge(tab: "Page", axe: str) -> list[str]:
    """What is wrong on the page that the tab shows: rule, place, and why."""
    tab.evaluate(f"{axe}; undefined")
    found = tab.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']} ({one['impact']}): {node['html'][:200]}"
        for one in found["violations"]
        if one["impact"] in SERIOUS or one["id"] in _REPORTED
        for node in one["nodes"]
    ]
