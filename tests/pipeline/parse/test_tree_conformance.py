"""The tree construction cases of web-platform-tests, as far as we use them: links, base, title, text."""

import re
from pathlib import Path

from gossamer.pipeline.parse.html_kernel import PageReading, Reader
from gossamer.pipeline.parse.html_kernel.kernel_names import code_of
from gossamer.pipeline.parse.html_kernel.rows import TITLE
from gossamer.pipeline.parse.tag_attributes import read_text, read_value
from tests.conformance_report import ConformanceReport
from tests.pipeline.parse import trees
from tests.pipeline.parse.elements import elements

_CODES = {code_of(name): name for name in trees.WANTED}
_MENTIONS_ONE = re.compile(rb"<(?:a|area|base|i?frame|title)[\s>/]", re.IGNORECASE)


_MOVED = "a tree moves what stands in a table outside of its cells to before the table"
_UNMATCHED = "an end tag that ends nothing still stands between two blocks"
_SIGN = "what stands for a NUL in a picture counts as text, after which no frameset is taken"
_REASONS = {
    **dict.fromkeys(
        [
            "adoption01.dat 10",
            "adoption01.dat 11",
            "tests1.dat 32",
            "tests1.dat 77",
            "tests1.dat 78",
            "tests1.dat 79",
            "tests7.dat 30",
            "tests7.dat 32",
            "tests8.dat 6",
        ],
        _MOVED,
    ),
    "tests1.dat 34": _UNMATCHED,
    "plain-text-unsafe.dat 18": _SIGN,
    "plain-text-unsafe.dat 19": _SIGN,
}


def links(reading: PageReading) -> list[tuple[str, str]]:
    found = [
        (_CODES[code], read_value(value)) for code, value, _ in elements(reading) if code in _CODES
    ]
    return list(dict.fromkeys(found))


def title(reading: PageReading) -> str:
    for code, value, _ in elements(reading):
        if code == TITLE:
            return read_text(value.decode())
    return ""


def test_links_and_titles(conformance_data: Path, conformance_report: ConformanceReport) -> None:
    reader = Reader(max_links=1000)
    with conformance_report("HTML links and titles (web-platform-tests)", {}) as suite:
        for name, data, tree in trees.cases(conformance_data / "html" / "tree"):
            if _MENTIONS_ONE.search(data):
                reading = reader.read(data)
                got = links(reading), title(reading)
                suite.check(name, got, (trees.links(tree), trees.title(tree)))
            else:
                suite.skip(name, "no link, frame, base or title in it")


def test_text(conformance_data: Path, conformance_report: ConformanceReport) -> None:
    reader = Reader(max_links=0)
    with conformance_report("HTML text (web-platform-tests)", _REASONS) as suite:
        for name, data, tree in trees.cases(conformance_data / "html" / "tree"):
            suite.check(name, reader.read(data).text.decode("utf-8", "replace"), trees.text(tree))
