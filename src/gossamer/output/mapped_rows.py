"""Rows that take up disk rather than memory, and can be had one by one."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gossamer.core.disk.disk_files import delete

if TYPE_CHECKING:
    import pyarrow


class MappedRows:
    """An Arrow file, not compressed, and mapped: a row costs a look at its batch, whatever their number.

    It is a copy for as long as it is needed: it is written when it is opened, and goes when it is closed.
    """

    def __init__(
        self, file: Path, schema: "pyarrow.Schema", batches: Iterable["pyarrow.RecordBatch"]
    ) -> None:
        import pyarrow as pa

        self._file = file
        counts = [0]
        file.parent.mkdir(parents=True, exist_ok=True)
        delete(file)  # a file that is mapped must never become shorter
        with pa.OSFile(str(file), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
            for batch in batches:
                if batch.num_rows:
                    writer.write_batch(batch.cast(schema))
                    counts.append(batch.num_rows)
        self._starts = list(accumulate(counts))
        """The number of the first row of each batch, and of the one that would be next."""
        self._map = pa.memory_map(str(file))
        reader = pa.ipc.open_file(self._map)
        self._batches = [reader.get_batch(place) for place in range(reader.num_record_batches)]

    def __len__(self) -> int:
        return self._starts[-1]

    def value(self, row: int, column: int) -> Any:
        """The value of one row in the column of this number."""
        place = bisect_right(self._starts, row) - 1
        return self._batches[place].column(column)[row - self._starts[place]].as_py()

    def rows(self, start: int, count: int) -> Iterator["pyarrow.RecordBatch"]:
        """Rows in a row, which may stand in several batches."""
        while count > 0:
            place = bisect_right(self._starts, start) - 1
            batch = self._batches[place].slice(start - self._starts[place], count)
            yield batch
            start, count = start + batch.num_rows, count - batch.num_rows

    def close(self) -> None:
        self._batches.clear()
        self._map.close()
        delete(self._file)
