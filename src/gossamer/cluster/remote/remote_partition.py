"""A partition whose supervisor and neighbours are on other machines."""

import os

import msgspec

from gossamer.cluster.frames import Frame, FrameKind
from gossamer.cluster.partition import Partition
from gossamer.cluster.remote.address_arbiter import Given, Wanted
from gossamer.cluster.remote.borrowed_turns import BorrowedTurns
from gossamer.cluster.remote.lease import PassingError
from gossamer.cluster.remote.partition_connection import NearEnd
from gossamer.cluster.storage.retrying_storage import UnreachableError
from gossamer.pipeline.frontier import AddressTurns

_decode_given = msgspec.msgpack.Decoder(Given).decode


class RemotePartition(Partition):
    """Borrows turns at addresses, and does not stop the crawl when only its own machine is in trouble."""

    _node = os.uname().nodename
    _borrowed: BorrowedTurns | None = None
    _end: NearEnd

    def _share_turns(self, turns: AddressTurns | None) -> AddressTurns | None:
        politeness = self.settings.politeness
        if turns is not None:
            self._borrowed = BorrowedTurns(
                politeness.per_address, politeness.address_delay, self._world.clock, self._tell
            )
        return self._borrowed

    def _tell(self, said: Wanted) -> None:
        self._wire.send(Frame(FrameKind.TURNS_WANTED, body=msgspec.msgpack.encode(said)))

    def _obey(self, order: Frame) -> None:
        if order.kind == FrameKind.TURNS_GIVEN and self._borrowed is not None:
            self._borrowed.take(_decode_given(order.body))
        else:
            super()._obey(order)

    def _is_over(self) -> bool:
        is_over = super()._is_over()
        if self._borrowed is not None:
            self._borrowed.flush()
        return is_over

    def _fail(self, error: BaseException) -> None:
        """The next incarnation, on another machine, may have more luck: then this one just ends.

        A disk that is full or gone is one machine's trouble, too, but a person should look at it.
        """
        if isinstance(error, PassingError | UnreachableError):
            return
        if isinstance(error, OSError):
            self._end.complain(f"this machine failed: {error}")
        else:
            super()._fail(error)
