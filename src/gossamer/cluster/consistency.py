"""Do the states of partitions belong together? By what each of them has recorded.

A partition that was restored from an older copy lacks batches that others no longer keep, or sends new
batches under numbers that were used before. The rest of the exchange would never notice.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from gossamer.cluster.mailbox import MailboxEntry, MailboxState


class Reach(NamedTuple):
    """Progress of the exchange between a partition and its neighbours, as it has recorded it."""

    sent: dict[int, tuple[int, int]]
    """For each receiver, the last batch that it is known to have, and the last there is."""
    marks: dict[int, int]
    """For each sender, the last batch received."""


def read_reach(state: bytes, recorded: Sequence[bytes]) -> Reach:
    """Read the progress from a checkpoint and the journal since then."""
    before = msgspec.msgpack.decode(state, type=MailboxState) if state else MailboxState({}, {})
    sent = {other: (box.heard, box.last) for other, box in before.outboxes.items()}
    marks = dict(before.marks)
    for one in recorded:
        entry = msgspec.msgpack.decode(one, type=MailboxEntry)
        marks.update(entry.marks)
        for other, batches in entry.sent.items():
            heard, last = sent.get(other, (0, 0))
            sent[other] = heard, max(last, *(batch.number for batch in batches))
    return Reach(sent, marks)


def check_reach(reaches: Mapping[int, Reach]) -> str:
    """Are the states of all partitions from the same time? Returns what is wrong; empty if nothing is."""
    for sender, reach in reaches.items():
        for receiver, (heard, last) in reach.sent.items():
            mark = reaches[receiver].marks.get(sender, 0) if receiver in reaches else heard
            if not heard <= mark <= last:
                return f"the states of partitions {sender} and {receiver} are from different times"
    return ""
