"""The rows of a reading one by one, whichever way they were handed over."""

from collections.abc import Iterator
from typing import NamedTuple

from gossamer.cycle.parse.reader import Reading
from gossamer.cycle.parse.reader.rows import ODD_A, A


class Element(NamedTuple):
    """A row: its code, its first value as it stands in the page, and the text of a link."""

    code: int
    value: bytes
    text: str = ""


def elements(reading: Reading) -> Iterator[Element]:
    plain = zip(reading.hrefs, reading.texts, strict=True)
    others = iter(reading.others)
    for code in reading.codes:
        if code == A:
            yield Element(code, *next(plain))
            continue
        _, first, last, _, _, start, end, *_ = next(others)
        text = reading.text[start:end].decode("utf-8", "replace") if code == ODD_A else ""
        yield Element(A if code == ODD_A else code, reading.html[first:last], text)
