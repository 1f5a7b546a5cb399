import gzip
import tempfile
from pathlib import Path

import pytest

from gossamer.core.clock import VirtualClock
from gossamer.core.disk.disk_manifest import MANIFEST, ManifestWriter
from gossamer.output import warc_file
from gossamer.output.warc_file import RecordPlace, WarcFiles, WarcState

NEW = WarcState()


def open_files(
    folder: Path, size: int = 1 << 20, partition: int = 0, state: WarcState = NEW
) -> WarcFiles:
    clock = VirtualClock(1_700_000_000.0)
    manifest = ManifestWriter(Path(tempfile.mkdtemp(dir=folder.parent)) / MANIFEST)
    return WarcFiles(
        folder, size, clock, lambda name: f"about {name}".encode(), partition, state, manifest
    )


def member(folder: Path, place: RecordPlace) -> bytes:
    data = (folder / place.file).read_bytes()
    return gzip.decompress(data[place.offset : place.offset + place.length])


def test_nothing_written_makes_no_file(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    assert files.commit() == WarcState()
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


def test_what_was_committed_is_in_the_file(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    places = [files.append([b"capture", b"request"]) for _ in range(3)]
    state = files.commit()
    assert state.length == (tmp_path / places[0].file).stat().st_size
    text = gzip.decompress((tmp_path / places[0].file).read_bytes())
    assert text.endswith(b"capturerequest" * 3)
    files.close()


def test_a_resumed_crawl_goes_on_in_the_same_file(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    files.append([b"capture 1", b"request"])
    state = files.commit()
    lost = files.append([b"lost"])
    files.close()
    again = open_files(tmp_path, state=state)
    place = again.append([b"capture 2"])
    again.close()
    assert (place.file, place.offset) == (lost.file, lost.offset)
    (path,) = tmp_path.iterdir()
    text = gzip.decompress(path.read_bytes())
    assert text == f"about {path.name}".encode() + b"capture 1requestcapture 2"
    assert again.bytes == path.stat().st_size
    assert (again.records, again.raw_bytes, again.files) == (4, len(text), 1)


def test_files_begun_after_the_commit_vanish(tmp_path: Path) -> None:
    files = open_files(tmp_path, size=100)
    files.append([b"capture"])
    state = files.commit()
    for number in range(20):
        files.append([b"lost %d" % number])
    files.close()
    assert len(list(tmp_path.iterdir())) > 3
    again = open_files(tmp_path, size=100, state=state)
    again.close()
    assert [path.stat().st_size for path in tmp_path.iterdir()] == [state.length]


def test_a_commit_after_closing_leads_to_all_of_it(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    files.append([b"capture"])
    files.close()
    again = open_files(tmp_path, state=files.commit())
    again.append([b"another"])
    again.close()
    texts = [gzip.decompress(path.read_bytes()) for path in sorted(tmp_path.iterdir())]
    assert [text[-7:] for text in texts] == [b"capture", b"another"]


@pytest.mark.parametrize("culprit", ["AppendOnlyFile", "sync_folder"])
def test_a_file_that_cannot_be_begun_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, culprit: str
) -> None:
    def refuse(*_: object, **named: object) -> None:
        raise OSError(28, "No space left on device")

    files = open_files(tmp_path, size=1)
    first = files.append([b"capture 1"])
    with monkeypatch.context() as patch:
        patch.setattr(warc_file, culprit, refuse)
        with pytest.raises(OSError, match="No space"):
            files.append([b"refused"])
    again = open_files(tmp_path, size=1, state=files.commit())
    second = again.append([b"capture 2"])
    again.close()
    assert [member(tmp_path, place) for place in (first, second)] == [b"capture 1", b"capture 2"]
    assert len(list(tmp_path.iterdir())) == 2
    for path in tmp_path.iterdir():
        assert gzip.decompress(path.read_bytes()).startswith(f"about {path.name}".encode())


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
