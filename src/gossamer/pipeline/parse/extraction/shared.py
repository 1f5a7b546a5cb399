"""Text that many pages of a host share is no page's main text: what only a crawl can know.

Single pages are read by rules (`article`, `main_text`), which cannot know that a paragraph is a plea to
subscribe, a note on cookies or the address of an office. Here pages are compared that were read together: a
long line that stands on many different pages of a host is left out of all of them.

It is careful. Lines below some length stay, for tables, lists and headings repeat their words. A page that
would lose half of its text loses nothing: it is a copy, an old version, or it is about what it shares, such
as a licence. A line counts once for a page, so a refrain is not shared. Pages with the same text are one.
"""

from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urlsplit

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from gossamer.core.extracted_page import Reading
from gossamer.pipeline.parse.extraction.page_reader import HTML
from gossamer.pipeline.parse.extraction_kernels.line_numbers import number_lines

_LEAST_PAGES = 5
"""Different pages of a host that have to share a line …"""
_LEAST_PART = 0.5
"""… and which part of them."""
_LEAST_LETTERS, _LEAST_WORDS = 40, 6
"""What a line has to have, so that it is no heading, no entry of a list, and no cell of a table."""
_MOST_LOST = 0.5
"""Of a page's main text."""
_MOST_PAGES, _MOST_LETTERS = 1000, 32 << 20
"""What is in memory at a time, while pages are compared."""
_NOTHING = np.empty(0, np.int64)


def compare_readings(readings: Iterable[Reading]) -> Iterator[Reading]:
    """Any number of readings, without what those of a host share that come close to each other."""
    some, size = list[Reading](), 0
    for reading in readings:
        some.append(reading)
        size += len(reading.text)
        if len(some) >= _MOST_PAGES or size >= _MOST_LETTERS:
            yield from leave_out_shared(some)
            some, size = [], 0
    yield from leave_out_shared(some)


def leave_out_shared(readings: Sequence[Reading]) -> list[Reading]:
    """The same readings; their main texts are without lines that many pages of their host share.

    >>> plea = "If you like what you read here, please tell your friends about it, and subscribe."
    >>> said = "Tea number {} is grown on the southern slopes of hill {}, where it rains in each summer."
    >>> texts = [said.format(number, number) + chr(10) + plea for number in range(5)]
    >>> pages = [Reading(f"http://a.test/{text[11]}", "text/html", main_text=text) for text in texts]
    >>> leave_out_shared(pages)[0].main_text == said.format(0, 0)
    True
    """
    hosts = [urlsplit(reading.url).netloc for reading in readings]
    shared = {host: _find_shared(pages) for host, pages in _by_host(hosts, readings).items()}
    return [_without(reading, shared[host]) for host, reading in zip(hosts, readings, strict=True)]


def _by_host(hosts: Iterable[str], readings: Iterable[Reading]) -> dict[str, list[Reading]]:
    found: dict[str, list[Reading]] = {}
    for host, reading in zip(hosts, readings, strict=True):
        found.setdefault(host, []).append(reading)
    return found


def _find_shared(readings: Sequence[Reading]) -> NDArray[np.int64]:
    """Numbers of the lines that many of these pages have."""
    if len(readings) < _LEAST_PAGES:
        return _NOTHING
    found = (_long_lines(reading.main_text) for reading in readings if reading.media_type in HTML)
    pages = {lines.tobytes(): lines for lines in found if len(lines)}
    if not pages:
        return _NOTHING
    lines, counts = np.unique(np.concatenate([*pages.values()]), return_counts=True)
    shared: NDArray[np.int64] = lines[counts >= max(_LEAST_PAGES, _LEAST_PART * len(pages))]
    return shared


def _long_lines(text: str) -> NDArray[np.int64]:
    """The numbers of a text's long lines, each once."""
    numbers = np.unique(_number_lines(text))
    long: NDArray[np.int64] = numbers[numbers != 0]
    return long


def _number_lines(text: str) -> NDArray[np.int64]:
    """A number for each line, the same for the same words; 0 for one that is not long."""
    numbers = np.empty(text.count("\n") + 1, np.int64)
    spelling = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
    number_lines(spelling, _LEAST_LETTERS, _LEAST_WORDS, numbers)
    return numbers


def _without(reading: Reading, shared: NDArray[np.int64]) -> Reading:
    if not len(shared) or reading.media_type not in HTML:
        return reading
    is_shared = np.isin(_number_lines(reading.main_text), shared)
    if not is_shared.any():
        return reading
    lines = zip(reading.main_text.split("\n"), is_shared.tolist(), strict=True)
    text = "\n".join(line for line, is_lost in lines if not is_lost).strip("\n")
    is_enough = len(text) > (1 - _MOST_LOST) * len(reading.main_text)
    return replace(reading, main_text=text) if is_enough else reading
