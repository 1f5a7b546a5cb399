from pathlib import Path

from gossamer.core.disk.deferred_delete import DeferredDeletes


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).touch()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_what_no_checkpoint_names_goes_at_once(tmp_path: Path) -> None:
    touch(tmp_path, "a", "b")
    DeferredDeletes(tmp_path).discard("a")
    assert names(tmp_path) == {"b"}


def test_what_a_checkpoint_names_stays_until_the_next_one_is_published(tmp_path: Path) -> None:
    touch(tmp_path, "a", "b")
    deferred_deletes = DeferredDeletes(tmp_path)
    deferred_deletes.checkpoint(["a"])
    deferred_deletes.published()
    deferred_deletes.discard("a")
    deferred_deletes.checkpoint(["b"])
    assert names(tmp_path) == {"a", "b"}, "a crash would still lead back to the first"
    deferred_deletes.published()
    assert names(tmp_path) == {"b"}


def test_a_checkpoint_that_was_never_published(tmp_path: Path) -> None:
    touch(tmp_path, "a", "b", "c")
    deferred_deletes = DeferredDeletes(tmp_path, named=["a"])
    deferred_deletes.checkpoint(["b"])
    deferred_deletes.discard("b")
    deferred_deletes.discard("a")
    deferred_deletes.checkpoint(["c"])
    deferred_deletes.published()
    assert names(tmp_path) == {"c"}


def test_what_is_named_again_stays(tmp_path: Path) -> None:
    touch(tmp_path, "a")
    deferred_deletes = DeferredDeletes(tmp_path, named=["a"])
    deferred_deletes.checkpoint(["a"])
    deferred_deletes.published()
    deferred_deletes.discard("a")
    assert names(tmp_path) == {"a"}


def test_clear_deletes_strangers_of_its_own_kind(tmp_path: Path) -> None:
    touch(tmp_path, "epoch-1", "epoch-2", "somebody's letter")
    DeferredDeletes(tmp_path, named=["epoch-2"]).clear("epoch-*")
    assert names(tmp_path) == {"epoch-2", "somebody's letter"}
