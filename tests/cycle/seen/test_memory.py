from gossamer.base.protocols import Seen
from gossamer.cycle.seen import MemorySeen
from tests.conformance.seen import SeenSuite


class TestMemorySeen(SeenSuite):
    def make(self) -> Seen:
        return MemorySeen()
