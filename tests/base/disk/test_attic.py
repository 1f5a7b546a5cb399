from pathlib import Path

from gossamer.base.disk.attic import Attic


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).touch()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_what_no_checkpoint_names_goes_at_once(tmp_path: Path) -> None:
    touch(tmp_path, "a", "b")
    Attic(tmp_path).discard("a")
    assert names(tmp_path) == {"b"}


def test_what_a_checkpoint_names_stays_until_the_next_one_is_published(tmp_path: Path) -> None:
    touch(tmp_path, "a", "b")
    attic = Attic(tmp_path)
    attic.checkpoint(["a"])
    attic.published()
    attic.discard("a")
    attic.checkpoint(["b"])
    assert names(tmp_path) == {"a", "b"}, "a crash would still lead back to the first"
    attic.published()
    assert names(tmp_path) == {"b"}


def test_a_checkpoint_that_was_never_published(tmp_path: Path) -> None:
    touch(tmp_path, "a", "b", "c")
    attic = Attic(tmp_path, named=["a"])
    attic.checkpoint(["b"])
    attic.discard("b")
    attic.discard("a")
    attic.checkpoint(["c"])
    attic.published()
    assert names(tmp_path) == {"c"}


def test_what_is_named_again_stays(tmp_path: Path) -> None:
    touch(tmp_path, "a")
    attic = Attic(tmp_path, named=["a"])
    attic.checkpoint(["a"])
    attic.published()
    attic.discard("a")
    assert names(tmp_path) == {"a"}


def test_clear_deletes_strangers_of_its_own_kind(tmp_path: Path) -> None:
    touch(tmp_path, "epoch-1", "epoch-2", "somebody's letter")
    Attic(tmp_path, named=["epoch-2"]).clear("epoch-*")
    assert names(tmp_path) == {"epoch-2", "somebody's letter"}
