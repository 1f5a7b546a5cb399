"""The tree construction cases of web-platform-tests, as far as we use the tree: links and titles."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gossamer.cycle.parse.scan import elements_by_scan
from gossamer.cycle.parse.tree import Element, elements_of_tree

_WANTED = {"a": "href", "area": "href", "base": "href", "iframe": "src", "frame": "src"}
_MENTIONS_ONE = re.compile(rb"<(?:a|area|base|i?frame|title)[\s>/]", re.IGNORECASE)
_SVG = "what belongs to a picture only a tree can tell"
_ELEMENT = re.compile(r"<(svg |math )?([^>]+)>")


def cases(folder: Path) -> Iterator[tuple[str, bytes, list[tuple[str, str]]]]:
    for path in sorted(folder.glob("*.dat")):
        text = path.read_bytes().decode()
        for number, part in enumerate(text.split("#data\n")[1:]):
            sections = dict(_sections("#data\n" + part))
            if "#document-fragment" not in sections and "#script-on" not in sections:
                wanted = list(_links(sections["#document"].split("\n")))
                yield f"{path.name} {number}", sections["#data"].encode(), wanted


def _sections(part: str) -> Iterator[tuple[str, str]]:
    names = "#data|#errors|#new-errors|#document-fragment|#script-off|#script-on|#document"
    pieces = re.split(rf"^({names})$\n?", part, flags=re.MULTILINE)
    for name, text in zip(pieces[1::2], pieces[2::2], strict=True):
        yield name, text.removesuffix("\n")


def _links(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Elements of the expected tree that have the attribute we look for, templates left out."""
    element, inside, hidden = "", 0, None
    for line in lines:
        depth = len(line) - len(line[1:].lstrip()) if line.startswith("|") else None
        if depth is None:
            continue
        if hidden is not None and depth <= hidden:
            hidden = None
        text = line[1:].strip()
        if match := _ELEMENT.fullmatch(text):
            element, inside = (match[1] or "") + match[2], depth + 2
        elif text == "content" and element == "template" and hidden is None:
            hidden = depth
        elif element == "title" and depth == inside and hidden is None:
            yield "title", text.strip('"')
        elif hidden is None and (name := _WANTED.get(element)):
            key, _, value = text.partition("=")
            if key == name:
                yield element, value.strip('"')


def _found(elements: Iterator[Element]) -> list[tuple[str, str]]:
    found = []
    for tag, attributes, text in elements:
        if tag == "title" and text:
            found.append((tag, text))
        elif tag in _WANTED and _WANTED[tag] in attributes:
            found.append((tag, attributes[_WANTED[tag]] or ""))
    return found


def _check(suite: Any, name: str, data: bytes, got: object, wanted: object) -> None:
    if _MENTIONS_ONE.search(data):
        suite.check(name, got, wanted)
    else:
        suite.skip(name, "no link, frame, base or title in it")


def test_links_of_the_tree(conformance_data: Path, conformance_report) -> None:
    with conformance_report("HTML links from the tree (web-platform-tests)", {}) as suite:
        for name, data, wanted in cases(conformance_data / "html" / "tree"):
            _check(suite, name, data, _found(elements_of_tree(data)), wanted)


def test_links_by_scan(conformance_data: Path, conformance_report) -> None:
    """Without a tree the same URLs are found, though not as often: clones are a tree's doing."""
    reasons = {"html5test-com.dat 13": _SVG, "tests10.dat 35": _SVG}
    with conformance_report("HTML links without a tree (web-platform-tests)", reasons) as suite:
        for name, data, wanted in cases(conformance_data / "html" / "tree"):
            _check(suite, name, data, set(_found(elements_by_scan(data))), set(wanted))
