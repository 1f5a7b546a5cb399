"""One file of the links table, as much of it as is needed to find who links where, and what was refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.core.errors import DamageError
from gossamer.core.parquet import read_columns
from gossamer.dashboard.tables.mapped_arrays import Mapped
from gossamer.dashboard.tables.url_numbers import in_order, keys_of, rows_with, some_of
from gossamer.dashboard.tables.word_numbers import WordNumbers

_LONGEST = 100
"""Characters of an anchor that are kept."""
_COLUMNS = ["source", "target", "kind", "anchor", "rel", "target_host", "refused"]


class LinkWords:
    """The words of all files."""

    def __init__(self) -> None:
        self.kinds = WordNumbers()
        self.rels = WordNumbers()
        self.refusals = WordNumbers()


class LinkPart(Struct, frozen=True):
    """A file of the links table."""

    path: Path
    rows: int
    says_why: bool
    """Does it say why links were refused? One of an earlier version does not."""
    refused: dict[int, int]
    """How many rows have which refusal, by its number; 0 is none."""
    arrays: dict[str, Any]

    def column(self, name: str) -> NDArray[Any]:
        found: NDArray[Any] = self.arrays[name]
        return found

    def text(self, name: str, row: int) -> str:
        """The text in a row of `source`, `target` or `anchor`."""
        [found] = some_of([int(self.arrays[name][row])], self.arrays[f"{name}s"])
        return found

    def texts(self, name: str, rows: NDArray[Any]) -> pa.LargeStringArray:
        """The texts in some rows of `source`, `target` or `anchor`."""
        return self.arrays[f"{name}s"].take(pa.array(self.arrays[name][rows]))

    def rows_to(self, key: int) -> NDArray[np.uint32]:
        """The rows of links to a URL."""
        return self._rows("target", key)

    def rows_from(self, key: int) -> NDArray[np.uint32]:
        """The rows of links on a page."""
        return self._rows("source", key)

    def _rows(self, name: str, key: int) -> NDArray[np.uint32]:
        found = rows_with(key, self.arrays[f"{name}.keys"], self.arrays[f"{name}.words"])
        if not len(found):
            return found
        return np.flatnonzero(self.arrays[name] == found[0]).astype(np.uint32)


def take_links(path: Path, words: LinkWords) -> LinkPart:
    """Read a file. URLs and anchors stand in it again and again; each is kept once."""
    there = _names_in(path)
    table = read_columns(path, [name for name in _COLUMNS if name in there])
    kept = Mapped()
    for name in ("source", "target", "anchor"):
        numbers, texts = _encoded(table[name])
        if name == "anchor":
            texts = pc.utf8_slice_codeunits(texts, 0, _LONGEST)
        else:
            keys, places = in_order(keys_of(texts))
            kept.add(f"{name}.keys", keys)
            kept.add(f"{name}.words", places)
        kept.add(name, numbers)
        kept.add_texts(f"{name}s", texts)
    kept.add("kind", words.kinds.numbers(table["kind"]).astype(np.uint8))
    kept.add("rel", words.rels.numbers(table["rel"]).astype(np.uint32))
    says_why = "refused" in there
    refused = (
        words.refusals.numbers(table["refused"]) if says_why else np.zeros(table.num_rows, int)
    )
    kept.add("refused", refused.astype(np.uint8))
    counts = {number: int(count) for number, count in enumerate(np.bincount(refused)) if count}
    return LinkPart(path, table.num_rows, says_why, counts, kept.close())


def _names_in(path: Path) -> list[str]:
    """Its columns; one of an earlier version has fewer."""
    try:
        names: list[str] = pq.read_schema(path).names
    except (pa.ArrowException, OSError, ValueError) as error:
        said = " ".join(str(error).split())
        raise DamageError(path, f"is not a Parquet file of this crawl ({said})") from None
    return names


def _encoded(column: pa.ChunkedArray) -> tuple[NDArray[np.uint32], pa.LargeStringArray]:
    """Each text once, and which of them a row has."""
    whole = column.combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        return np.zeros(0, np.uint32), pa.array([], pa.large_string())
    if not pa.types.is_dictionary(whole.type):
        whole = whole.fill_null("").dictionary_encode()
    numbers = whole.indices.fill_null(0).to_numpy(zero_copy_only=False).astype(np.uint32)
    return numbers, whole.dictionary.cast(pa.large_string())
