from pathlib import Path

from gossamer.output.numbered_files import delete_from, serial_of


def test_the_serial_is_the_last_number() -> None:
    assert serial_of(Path("warc/gossamer-20231114221320-00012-00345.warc.gz")) == 345
    assert serial_of(Path("00001-100000.parquet")) == 100_000
    assert serial_of(Path(".cdxj-00001-00007.run")) == 7


def test_only_unwanted_files_of_the_pattern_are_deleted(tmp_path: Path) -> None:
    for name in ("00000-00003.parquet", "00000-00010.parquet", "00001-00099.parquet"):
        (tmp_path / name).touch()
    delete_from(tmp_path, "00000-*.parquet", lambda serial: serial >= 4)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["00000-00003.parquet", "00001-00099.parquet"]


def test_drafts_are_deleted_too_but_not_those_of_others(tmp_path: Path) -> None:
    for name in (".00000-00003.parquet.tmp", ".00001-00003.parquet.tmp", ".other.tmp"):
        (tmp_path / name).touch()
    delete_from(tmp_path, "00000-*.parquet", lambda serial: False)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [".00001-00003.parquet.tmp", ".other.tmp"]
