import gzip
from pathlib import Path

import pytest

from gossamer.base.clock import VirtualClock
from gossamer.harvest.store.warc import Place, WarcFiles


def open_files(folder: Path, size: int = 1 << 20, partition: int = 0) -> WarcFiles:
    clock = VirtualClock(1_700_000_000.0)
    return WarcFiles(folder, size, clock, lambda name: f"about {name}".encode(), partition)


def member(folder: Path, place: Place) -> bytes:
    data = (folder / place.file).read_bytes()
    return gzip.decompress(data[place.offset : place.offset + place.length])


def test_nothing_written_makes_no_file(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    files.flush()
    files.close()
    assert list(tmp_path.iterdir()) == []


def test_names_tell_time_partition_and_serial(tmp_path: Path) -> None:
    files = open_files(tmp_path, partition=12)
    place = files.append([b"capture"])
    files.close()
    assert place.file == "gossamer-20231114221320-00012-00000.warc.gz"


def test_a_place_is_one_whole_member(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    wanted = [b"capture %d" % number * number for number in range(1, 50)]
    places = [files.append([capture, b"request"]) for capture in wanted]
    files.close()
    assert [member(tmp_path, place) for place in places] == wanted


def test_a_file_begins_with_its_introduction(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    place = files.append([b"capture", b"request"])
    files.close()
    text = gzip.decompress((tmp_path / place.file).read_bytes())
    assert text == f"about {place.file}".encode() + b"capture" + b"request"


def test_a_full_file_is_followed_by_another(tmp_path: Path) -> None:
    files = open_files(tmp_path, size=300)
    places = [files.append([b"capture", b"request"]) for _ in range(40)]
    files.close()
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == files.files > 3
    assert [name[-14:-8] for name in names] == [f"-{serial:05}" for serial in range(len(names))]
    assert {place.file for place in places} == set(names)
    for name in names:
        text = gzip.decompress((tmp_path / name).read_bytes())
        assert text.startswith(f"about {name}".encode())
        assert text.count(b"capture") == text.count(b"request") > 0
    for full in names[:-1]:
        assert (tmp_path / full).stat().st_size >= 300


def test_what_was_flushed_is_in_the_file(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    places = [files.append([b"capture", b"request"]) for _ in range(3)]
    files.flush()
    text = gzip.decompress((tmp_path / places[0].file).read_bytes())
    assert text.endswith(b"capturerequest" * 3)
    files.close()


def test_an_earlier_crawl_is_not_written_over(tmp_path: Path) -> None:
    for _ in range(2):
        files = open_files(tmp_path)
        files.append([b"capture"])
        files.close()
    assert [path.name[-14:-8] for path in sorted(tmp_path.iterdir())] == ["-00000", "-00001"]


def test_counts(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    place = files.append([b"capture", b"request"])
    files.close()
    assert files.records == 3
    assert files.bytes == (tmp_path / place.file).stat().st_size
    assert files.raw_bytes == len(f"about {place.file}") + len(b"capture") + len(b"request")


@pytest.mark.parametrize("times", [1, 2])
def test_closing_again_changes_nothing(tmp_path: Path, times: int) -> None:
    files = open_files(tmp_path)
    files.append([b"capture"])
    for _ in range(times):
        files.close()
    assert len(list(tmp_path.iterdir())) == 1
