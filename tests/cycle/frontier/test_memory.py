from random import Random

from gossamer.base.protocols import Frontier
from gossamer.cycle.frontier import MemoryFrontier
from tests.conformance.frontier import FrontierSuite


class TestMemoryFrontier(FrontierSuite):
    def make(
        self, levels: int = 4, back_queues: int = 100, per_host: int = 1, spacing: float = 0.0
    ) -> Frontier:
        return MemoryFrontier(levels, back_queues, per_host, Random(7), spacing)
