"""What every counter of in-degrees must do, in memory and on disk."""

from collections import defaultdict
from pathlib import Path
from random import Random

from gossamer.policy.budget.domain_degrees import Edge, InDegrees, MemoryInDegrees, domain_id
from gossamer.policy.budget.drum_degrees import DrumInDegrees
from gossamer.policy.budget.ranking import Grown


def edge(source: str, target: str) -> Edge:
    return Edge(domain_id(source), domain_id(target), target)


def by_name(grown: list[Grown]) -> dict[str, int]:
    """The last word on each domain."""
    return {one.name: one.in_degree for one in grown}


class InDegreesSuite:
    def make(self, folder: Path, manifest: bytes = b"") -> InDegrees:
        raise NotImplementedError

    def test_an_edge_counts_once(self, tmp_path: Path) -> None:
        degrees = self.make(tmp_path)
        edges = [edge("a", "b"), edge("a", "b"), edge("c", "b"), edge("a", "c")]
        assert by_name([*degrees.add(edges), *degrees.settle()]) == {"b": 2, "c": 1}
        assert [*degrees.add([edge("a", "b")]), *degrees.settle()] == []
        assert by_name([*degrees.add([edge("d", "b")]), *degrees.settle()]) == {"b": 3}
        assert len(degrees) == 4

    def test_direction_matters(self, tmp_path: Path) -> None:
        degrees = self.make(tmp_path)
        grown = [*degrees.add([edge("a", "b"), edge("b", "a")]), *degrees.settle()]
        assert by_name(grown) == {"a": 1, "b": 1}

    def test_a_link_to_itself_does_not_count(self, tmp_path: Path) -> None:
        degrees = self.make(tmp_path)
        assert [*degrees.add([edge("a", "a")]), *degrees.settle()] == []

    def test_domains_are_named_by_their_hash(self, tmp_path: Path) -> None:
        degrees = self.make(tmp_path)
        [grown] = [*degrees.add([edge("a", "b")]), *degrees.settle()]
        assert grown == Grown(domain_id("b"), 1, "b")

    def test_a_checkpoint_can_be_gone_back_to(self, tmp_path: Path) -> None:
        degrees = self.make(tmp_path)
        degrees.add([edge("a", "b")])
        manifest = degrees.checkpoint()
        degrees.checkpoint_published()
        degrees.add([edge("c", "b"), edge("d", "b")])
        degrees.close()
        again = self.make(tmp_path, manifest)
        replayed = [*again.add([edge("a", "b"), edge("c", "b"), edge("d", "b")]), *again.settle()]
        assert by_name(replayed) == {"b": 3}

    def test_counts_are_those_of_a_set(self, tmp_path: Path) -> None:
        chance, degrees = Random(5), self.make(tmp_path)
        sources, counts = defaultdict(set), dict[str, int]()
        for _ in range(20):
            names = [(str(chance.randrange(300)), str(chance.randrange(100))) for _ in range(1000)]
            for source, target in names:
                if source != target:
                    sources[target].add(source)
            counts |= by_name(degrees.add([edge(*pair) for pair in names]))
        counts |= by_name(degrees.settle())
        assert counts == {target: len(known) for target, known in sources.items()}
        assert len(degrees) == sum(counts.values())


class TestMemoryInDegrees(InDegreesSuite):
    def make(self, folder: Path, manifest: bytes = b"") -> InDegrees:
        return MemoryInDegrees(manifest)


class TestDrumInDegrees(InDegreesSuite):
    def make(self, folder: Path, manifest: bytes = b"") -> InDegrees:
        return DrumInDegrees(folder, 64 << 20, manifest)


class TestDrumInDegreesWithLittleMemory(InDegreesSuite):
    """So little that edges and counts both go to disk, and answers come late."""

    def make(self, folder: Path, manifest: bytes = b"") -> InDegrees:
        return DrumInDegrees(folder, 1 << 14, manifest)


def test_late_answers_come_out_of_a_later_add(tmp_path: Path) -> None:
    degrees = DrumInDegrees(tmp_path, 1 << 14)
    grown: list[Grown] = []
    for batch in range(100):
        grown += degrees.add([edge(f"{batch}.{number}", "popular") for number in range(200)])
    assert degrees.disk_bytes > 0, "it has outgrown its memory"
    before = grown[-1].in_degree
    assert 1000 < before < 20_000, "some came without settling, and some are kept back"
    assert degrees.settle()[-1].in_degree == 20_000
    degrees.close()
