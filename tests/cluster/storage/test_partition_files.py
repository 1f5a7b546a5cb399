"""What is new in the files of a partition is seen, and nothing else."""

from pathlib import Path

import pytest

from gossamer.cluster.storage.partition_files import Growth, Tree
from gossamer.core.directory import Directory
from gossamer.core.disk.disk_files import delete

JOURNAL, FRONTIER = "state/00000/journal/journal-000000.log", "state/00000/frontier/queue"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in (JOURNAL, FRONTIER, "pages/x", "warc/x", "links/x"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / JOURNAL).write_bytes(b"first")
    (tmp_path / FRONTIER).write_bytes(b"urls")
    return tmp_path


def look(tree: Tree, is_checkpoint: bool = True) -> tuple[list[Growth], list[str]]:
    return tree.look(is_checkpoint=is_checkpoint)


def test_everything_is_new_once(root: Path) -> None:
    tree = Tree(Directory(root))
    grown, gone = look(tree)
    assert sorted(one.path for one in grown) == [FRONTIER, JOURNAL]
    assert gone == []
    assert look(tree) == ([], [])


def test_a_file_that_has_grown_is_new_from_there_on(root: Path) -> None:
    tree = Tree(Directory(root))
    look(tree)
    with open(root / JOURNAL, "ab") as file:
        file.write(b" second")
    assert look(tree) == ([Growth(JOURNAL, 5, 12)], [])


@pytest.mark.parametrize("after", [b"f", b"other", b"other and longer"])
def test_a_file_that_was_cut_back_and_filled_again_is_new_as_a_whole(
    root: Path, after: bytes
) -> None:
    tree = Tree(Directory(root))
    look(tree)
    with open(root / JOURNAL, "r+b") as file:
        file.truncate(0)
        file.write(after)
    assert look(tree) == ([Growth(JOURNAL, 0, len(after))], [])


def test_a_file_that_was_replaced_is_new_as_a_whole(root: Path) -> None:
    tree = Tree(Directory(root))
    look(tree)
    (root / "draft").write_bytes(b"first and more")
    (root / "draft").replace(root / JOURNAL)
    assert look(tree) == ([Growth(JOURNAL, 0, 14)], [])


def test_between_checkpoints_only_what_the_journal_refers_to_counts(root: Path) -> None:
    tree = Tree(Directory(root))
    look(tree)
    delete(root / FRONTIER)
    delete(root / JOURNAL)
    (root / "state/00000/seen").mkdir()
    (root / "state/00000/seen/run").write_bytes(b"keys")
    assert look(tree, is_checkpoint=False) == ([], [JOURNAL])
    grown, gone = look(tree)
    assert [one.path for one in grown] == ["state/00000/seen/run"]
    assert gone == [FRONTIER]


def test_files_of_other_partitions_and_files_that_are_made_again_do_not_count(root: Path) -> None:
    (root / "state/00000/content").mkdir()
    for name in (
        "state/00000/content/texts.buckets",
        "state/00000/journal/end",
        "state/00000/.checkpoint.tmp",
        "pages/00001-00000.parquet",
        "pages/.00000-00000.parquet.tmp",
        "warc/gossamer-20261116100000-00001-00000.warc.gz",
        "state/lock",
    ):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_bytes(b"x")
    own = ["links/00000-00000.parquet", "warc/.cdxj-00000-00000.run"]
    own.append("warc/gossamer-20261116100001-00000-00000.warc.gz")
    for name in own:
        (root / name).write_bytes(b"x")
    grown, _ = look(Tree(Directory(root)))
    assert sorted(one.path for one in grown) == sorted([*own, FRONTIER, JOURNAL])
