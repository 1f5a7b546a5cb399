from pathlib import Path

import msgspec
import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st

from gossamer.core.disk.drum import DrumPlan
from gossamer.core.protocols import Seen
from gossamer.core.records import Candidate, Via
from gossamer.core.url import Url, parse
from gossamer.pipeline.seen import DiskSeen
from gossamer.pipeline.seen.candidate_packing import pack, unpack
from tests.conformance.frontier_suite import candidate
from tests.conformance.seen import SeenSuite, offer

TINY = DrumPlan(buckets=4, stage=64, bucket=50, chunk=16, block=1024, resident=0, disk=1 << 40)


class TestWhileItFitsIntoMemory(SeenSuite):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    def make(self) -> Seen:
        return DiskSeen(self.folder)


class TestOnDisk(TestWhileItFitsIntoMemory):
    def make(self) -> Seen:
        return DiskSeen(self.folder, plan=TINY)


class TestMovingToDisk(TestWhileItFitsIntoMemory):
    def make(self) -> Seen:
        return DiskSeen(self.folder, plan=msgspec.structs.replace(TINY, resident=200))


def urls(start: int, end: int) -> list[str]:
    return [f"http://a.test/{number}" for number in range(start, end)]


@pytest.mark.parametrize("resident", [0, 150, 10_000])
def test_resumed_at_a_checkpoint(tmp_path: Path, resident: int) -> None:
    """What was offered since is offered again, and each URL has come out once."""
    plan = msgspec.structs.replace(TINY, resident=resident)
    seen = DiskSeen(tmp_path, plan=plan)
    before = [one.url.text for one in seen.admit([candidate(url) for url in urls(0, 300)])]
    checkpoint = seen.checkpoint()
    seen.checkpoint_published()
    offer(seen, *urls(200, 500))
    seen.close()
    again = DiskSeen(tmp_path, plan=plan, checkpoint=checkpoint)
    assert again.statistics().offered == 300
    after = offer(again, *urls(200, 500))
    assert sorted(before + after) == sorted(urls(0, 500))
    assert offer(again, *urls(0, 500)) == []
    assert again.statistics().known == 500
    again.close()


def test_candidates_come_back_whole(tmp_path: Path) -> None:
    seen = DiskSeen(tmp_path, plan=TINY)
    url = parse("https://[::1]:8443/a?b=ü")
    assert url is not None
    given_ = Candidate(url, 7, Via.REDIRECT, "http://b.test/", 2, "äöü 漢字")
    assert [*seen.admit([given_]), *seen.settle()] == [given_]
    seen.close()


def test_much_comes_out_in_portions(tmp_path: Path) -> None:
    plan = DrumPlan(
        buckets=4, stage=5000, bucket=5000, chunk=999, block=4096, resident=0, disk=1 << 40
    )
    seen = DiskSeen(tmp_path, plan=plan)
    found = seen.admit([candidate(url) for url in urls(0, 19_000)])
    while more := seen.admit([]):
        assert len(more) < 4096 + 200
        found += more
    found += seen.settle()
    assert [one.url.text for one in found] == urls(0, 19_000)
    seen.close()


def test_a_large_batch_in_memory_leaves_nothing_behind(tmp_path: Path) -> None:
    plan = msgspec.structs.replace(TINY, stage=5000, resident=100_000)
    seen = DiskSeen(tmp_path, plan=plan)
    assert len(seen.admit([candidate(url) for url in urls(0, 12_000)])) == 12_000
    assert seen.checkpoint()


def test_statistics_of_the_structure_below(tmp_path: Path) -> None:
    seen = DiskSeen(tmp_path, plan=TINY)
    seen.admit([candidate(url) for url in urls(0, 60)])
    found = seen.drum_statistics()
    assert (found.is_resident, found.pending, found.operations) == (False, 60, 60)
    seen.close()


@given(
    text=st.text(),
    host=st.text(),
    origin=st.text(),
    source=st.text(),
    anchor=st.text(),
    hops=st.integers(0, 9),
)
def test_any_strings_are_packed(
    text: str, host: str, origin: str, source: str, anchor: str, hops: int
) -> None:
    url = Url(text, host, origin, xxhash.xxh3_64_intdigest(text.encode()))
    one = Candidate(url, 1, Via.FEED, source, hops, anchor)
    assert unpack(pack(one)) == one


def test_half_characters_in_an_anchor() -> None:
    url = candidate("http://a.test/").url
    assert unpack(pack(Candidate(url, anchor="a\ud800b"))).anchor == "a?b"
