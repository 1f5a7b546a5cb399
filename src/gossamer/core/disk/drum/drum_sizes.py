"""Derive all sizes of a DRUM from the memory that it may use."""

from msgspec import Struct

_WORK_BYTES = 128
"""What sorting and resolving takes for each operation of a bucket, on top of twice its record."""
_BUFFER_BYTES = 32 << 10
"""M of the paper: what is written to a bucket at a time, on average."""
_MAX_BUCKETS = 256


class DrumPlan(Struct, frozen=True, kw_only=True):
    """The sizes of a DRUM. In brackets, the symbol of the IRLbot paper, section 4.4.

    >>> plan = DrumPlan.of(256 << 20)
    >>> plan.buckets, plan.stage, plan.bucket, plan.resident
    (128, 466033, 919299, 3145728)
    """

    buckets: int
    """How many there are, a power of two (k)."""
    stage: int
    """Operations collected before they are spread over the buckets (k·M)."""
    bucket: int
    """Operations in the largest bucket that make a merge due (r)."""
    chunk: int
    """Pairs of the repository that are read at a time (Δ)."""
    block: int
    """Auxiliary bytes collected before they are written."""
    resident: int
    """Pairs that are kept in memory before the structure moves to disk."""
    disk: int
    """Bytes that may wait on disk before a merge is due (D) …"""
    share: float = 4.0
    """… or this many times the size of the repository, if that is more: as the repository grows, it is
    rewritten less often, and the cost of an operation stays the same."""

    @classmethod
    def of(cls, memory: int, value_bytes: int = 0, disk: int = 1 << 30) -> "DrumPlan":
        """Divide `memory` bytes.

        The stage takes 1/64. A bucket is worked on in at most half of it, and in up to a stage more
        when all keys of a stage share one prefix. Blocks and chunks take the rest. The resident table
        has half, so that there is room for writing it out; it is at most half full.
        """
        record, entry = 9 + value_bytes, 8 + value_bytes
        stage = max(16, memory // 64 // record)
        return cls(
            buckets=_power_of_two(min(_MAX_BUCKETS, memory // 64 // _BUFFER_BYTES)),
            stage=stage,
            bucket=max(16, memory // 2 // (_WORK_BYTES + 2 * record)),
            chunk=max(16, memory // 64 // entry),
            block=min(4 << 20, max(4096, memory // 64)),
            resident=_power_of_two(memory // 2 // (entry + 1)) * 3 // 8,
            disk=disk,
        )


def _power_of_two(number: int) -> int:
    """The largest one that is not above the number, and at least 2."""
    return 1 << max(1, number.bit_length() - 1)
