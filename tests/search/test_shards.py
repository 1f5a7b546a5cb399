"""However an index is cut, it answers as one."""

from pathlib import Path

import pytest

from gossamer.core.errors import DirectoryError
from gossamer.core.url import owner_of
from gossamer.search import TextIndex
from gossamer.search.fields import FieldWeights, IndexedPage, host_of, key_of
from gossamer.search.index_manifest import shard_folder
from gossamer.search.shard import LEAST_MEMORY, ShardWriter
from tests.examples import examples
from tests.search.made import pages, questions, write_index

PAGES = pages(400)


def shard_of(page: IndexedPage, shards: int = 4) -> int:
    return owner_of(host_of(page.url), shards)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("index")


@pytest.fixture(scope="module")
def one(folder: Path) -> TextIndex:
    write_index(folder / "one", PAGES)
    return TextIndex(folder / "one")


@pytest.fixture(scope="module")
def four(folder: Path) -> TextIndex:
    write_index(folder / "four", PAGES, 4, lambda page: (shard_of(page), 0))
    return TextIndex(folder / "four")


def check_equal(some: TextIndex, whole: TextIndex, question: str) -> int:
    """The same pages in the same order; scores are the same up to the engine's last digits."""
    found, expected = some.search(question), whole.search(question)
    assert [hit.url for hit in found.hits] == [hit.url for hit in expected.hits], question
    assert [hit.also for hit in found.hits] == [hit.also for hit in expected.hits]
    scores = [hit.score for hit in expected.hits]
    assert [hit.score for hit in found.hits] == pytest.approx(scores, rel=1e-6)
    assert (found.total, found.suggestion) == (expected.total, expected.suggestion)
    return len(found.hits)


def test_shards_answer_as_one_index(one: TextIndex, four: TextIndex) -> None:
    """The same ten pages in the same order with the same scores, for 200 questions."""
    sizes = [sum(shard_of(page) == number for page in PAGES) for number in range(4)]
    assert min(sizes) > 0, "no shard is empty"
    assert max(sizes) > 2 * min(sizes), "and their statistics are different"
    assert len(four) == len(one) == len(PAGES)
    found = sum(check_equal(four, one, question) for question in questions(examples(200)))
    assert found > examples(200) * 5, "most questions are about something"


def test_the_order_of_equals_does_not_depend_on_the_cut(one: TextIndex, four: TextIndex) -> None:
    for question in ("site:test", "lang:de", "site:h1.test OR site:h2.test"):
        assert check_equal(four, one, question)


def test_pages_are_found_and_compared_across_shards(one: TextIndex, four: TextIndex) -> None:
    for page in PAGES[:20]:
        assert four.page(page.url) == one.page(page.url) is not None
        check_equal(four, one, f"related:{page.url}")


def test_a_shard_that_is_missing_is_one_line(tmp_path: Path) -> None:
    write_index(tmp_path, PAGES[:9], 3, lambda page: (key_of(page.url) % 3, 0))
    for file in shard_folder(tmp_path, 1).glob("*.store"):
        file.unlink()
    with pytest.raises(DirectoryError, match="rebuild the index with --rebuild") as error:
        TextIndex(tmp_path)
    assert "gossamer-index-" not in str(error.value), "the folder of links is nobody's business"
    (shard_folder(tmp_path, 2) / "meta.json").unlink()
    with pytest.raises(DirectoryError, match="00002 is damaged or not there; rebuild the index"):
        TextIndex(tmp_path)


_LONG = f"{'tea' * 1300} "
"""Many bytes and few words, which is what takes time."""


@pytest.mark.parametrize("memory", [LEAST_MEMORY, 2 * LEAST_MEMORY])
def test_a_writer_keeps_to_its_memory(tmp_path: Path, memory: int) -> None:
    writer = ShardWriter(tmp_path, FieldWeights(), memory)
    text, commits = _LONG * 250, 0
    for number in range(memory // len(text)):
        before = writer.statistics().waiting
        page = IndexedPage(f"http://a.test/{number}", main_text=text, full_text=text)
        writer.put(page, key_of(page.url), 1)
        held = writer.statistics()
        commits += held.waiting < before
        assert held.waiting >= 3 * len(text)  # its text is searched and shown
        assert held.heap + held.most_waiting <= memory
    assert commits > 1
    writer.commit()
    assert writer.statistics().waiting == 0
    assert len(writer.held()[0]) == number + 1


def test_a_page_longer_than_all_memory_waits_alone(tmp_path: Path) -> None:
    writer = ShardWriter(tmp_path, FieldWeights(), LEAST_MEMORY)
    for number, size in enumerate((1000, LEAST_MEMORY, 1000)):
        page = IndexedPage(f"http://a.test/{number}", main_text=_LONG * (size // len(_LONG)))
        writer.put(page, key_of(page.url), 1)
        assert writer.statistics().waiting <= 2 * size + 2100
    writer.commit()
    assert len(writer.held()[0]) == 3
