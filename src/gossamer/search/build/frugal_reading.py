"""Reading tables without holding on to memory."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def frugal_arrow() -> Iterator[None]:
    """Arrow's own allocator keeps what it once had, some ten times what is in use; the system's does not."""
    import pyarrow

    before = pyarrow.default_memory_pool()
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    try:
        yield
    finally:
        pyarrow.set_memory_pool(before)
