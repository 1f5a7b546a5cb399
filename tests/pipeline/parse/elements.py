"""The rows of a reading one by one, whichever way they were handed over."""

from collections.abc import Iterator
from typing import NamedTuple

from gossamer.pipeline.parse.html_kernel import PageReading
from gossamer.pipeline.parse.html_kernel.rows import ODD_A, A


class Element(NamedTuple):
    """A row: its code, its first value as it stands in the page, and the text of a link."""

    code: int
    value: bytes
    text: str = ""


def elements(reading: PageReading) -> Iterator[Element]:
    plain = [Element(A, *pair) for pair in zip(reading.hrefs, reading.texts, strict=True)]
    taken = 0
    for _, first, last, _, _, start, end, _, _, code, before in reading.others:
        yield from plain[taken:before]
        taken = before
        text = reading.text[start:end].decode("utf-8", "replace") if code == ODD_A else ""
        yield Element(A if code == ODD_A else code, reading.html[first:last], text)
    yield from plain[taken:]
