"""Lessons since the last checkpoint, recorded.

Single pages carry along what their visits have shown. What belongs to all of them is learned on the way, too:
how often pages of a group change, which hosts tell the truth, which pages show new ones, how many visits new
pages need, what a visit costs at hosts that can take no more. It is in the checkpoint; what came since is
noted at each commit. Otherwise a crawl that is killed again and again between two checkpoints would begin to
learn again each time.

What lists have said of single pages is not here: it is heard again.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from gossamer.core.durable import Durable
from gossamer.policy.revisit.change_rates import ChangeModel
from gossamer.policy.revisit.finds import Finds
from gossamer.policy.revisit.honesty import Honesty
from gossamer.policy.revisit.timetable import Pace, Timetable
from gossamer.policy.revisit.tombstones import Tombstones


class _Note(Struct, frozen=True, array_like=True):
    groups: bytes
    pace: Pace
    hosts: bytes
    finds: bytes
    prices: bytes = b""
    """Nothing in those of an older time …"""
    given_up: bytes = b""
    """… nor in these."""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Note).decode


class Lessons(Durable):
    """Notes what its teachers learn, and teaches it again."""

    name = "lessons"

    def __init__(
        self,
        model: ChangeModel,
        timetable: Timetable,
        honesty: Honesty,
        finds: Finds,
        tombstones: Tombstones | None = None,
    ) -> None:
        self._tombstones = Tombstones() if tombstones is None else tombstones
        self._model, self._timetable = model, timetable
        self._honesty, self._finds = honesty, finds
        self._pace = timetable.pace
        """As it is recorded."""

    def note(self) -> bytes:
        timetable = self._timetable
        learned = (self._model.news(), timetable.pace, self._honesty.news(), self._finds.news())
        news = _Note(*learned, timetable.prices.news(), self._tombstones.news())
        is_new = news != _Note(b"", self._pace, b"", b"")
        return _encode(news) if is_new else b""

    def noted(self) -> None:
        self._pace = self._timetable.pace
        for one in (self._model, self._honesty, self._finds, self._timetable.prices):
            one.noted()
        self._tombstones.noted()

    def replay(self, notes: Sequence[bytes]) -> None:
        for one in map(_decode, notes):
            self._model.take(one.groups)
            self._honesty.take(one.hosts)
            self._finds.take(one.finds)
            self._timetable.pace = one.pace
            self._timetable.prices.take(one.prices)
            self._tombstones.take([one.given_up])
        self.noted()
