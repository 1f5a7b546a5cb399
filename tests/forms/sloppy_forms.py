"""Sloppy forms in many languages, written by hand, and whether a crawl may submit them."""

from pathlib import Path

_LINES = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()[1:]


def _forms(verdict: str) -> dict[str, str]:
    """The forms of a verdict by language and name."""
    parts = [one.split("\t") for one in _LINES]
    return {name: html for said, name, html in parts if said == verdict}


SEARCHES = _forms("may")
"""Searches that may be submitted."""
OTHERS = _forms("never")
"""Forms that must never be submitted."""
