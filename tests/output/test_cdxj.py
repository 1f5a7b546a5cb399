import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gossamer.core.disk.disk_manifest import MANIFEST
from gossamer.core.records import Headers
from gossamer.output import cdxj
from gossamer.output.cdxj import CdxjIndex, CdxjState, index_line
from gossamer.output.warc_file import RecordPlace
from gossamer.output.warc_record import RecordKind
from tests.output.output_samples import kept

PLACE = RecordPlace("gossamer-20231114221320-00000-00000.warc.gz", 1234, 567)
NEW = CdxjState()
DIGEST = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"


def split(line: bytes) -> tuple[str, str, dict[str, str]]:
    assert line.endswith(b"\n")
    surt, stamp, rest = line.decode().split(" ", 2)
    return surt, stamp, json.loads(rest)


def test_a_line_has_the_fields_of_pywb() -> None:
    surt, stamp, fields = split(
        index_line(kept("http://example.com/a?b=1"), RecordKind.RESPONSE, DIGEST, PLACE)
    )
    assert surt == "com,example)/a?b=1"
    assert stamp == "20231114221320"
    assert fields == {
        "url": "http://example.com/a?b=1",
        "mime": "text/html",
        "status": "200",
        "digest": "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        "length": "567",
        "offset": "1234",
        "filename": PLACE.file,
    }


@pytest.mark.parametrize("kind", [RecordKind.SAME_PAYLOAD, RecordKind.NOT_MODIFIED])
def test_a_revisit_says_so_and_tells_no_status(kind: RecordKind) -> None:
    _, _, fields = split(index_line(kept(), kind, DIGEST, PLACE))
    assert fields["mime"] == "warc/revisit"
    assert "status" not in fields


def test_what_is_not_known_is_left_out() -> None:
    visit = kept(page={"status": 0, "headers": Headers([])}, media_type="")
    _, _, fields = split(index_line(visit, RecordKind.RESPONSE, "", PLACE))
    assert fields["mime"] == "unk"
    assert "status" not in fields
    assert "digest" not in fields


def test_the_header_tells_the_type_of_what_was_not_parsed() -> None:
    visit = kept(page={"headers": Headers([("content-type", "Image/PNG; x=y")])}, media_type="")
    assert split(index_line(visit, RecordKind.RESPONSE, "", PLACE))[2]["mime"] == "image/png"


def test_a_hostile_type_stays_in_its_string() -> None:
    visit = kept(media_type='text/"html\n\ud800\xe9')
    _, _, fields = split(index_line(visit, RecordKind.RESPONSE, "", PLACE))
    assert fields["mime"] == 'text/"html\n?\xe9'


def open_index(folder: Path, per_run: int, state: CdxjState = NEW) -> CdxjIndex:
    return CdxjIndex(folder, folder / "work", 0, state, per_run)


def write(folder: Path, lines: list[bytes], per_run: int, state: CdxjState = NEW) -> CdxjState:
    index = open_index(folder, per_run, state)
    for line in lines:
        index.add(line)
    index.finish()
    state = index.commit()
    index.tidy()
    index.close()
    return state


@contextmanager
def no_room() -> Iterator[None]:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cdxj, "write_whole", refuse)
        yield


def names(folder: Path) -> list[str]:
    found = (path.name for path in folder.iterdir() if path.is_file())
    return sorted(name for name in found if name != MANIFEST)


def random_lines(count: int, seed: int = 1) -> list[bytes]:
    chance = random.Random(seed)
    return [
        b"com,host%d)/\xc3\xa9 20231114221320 {}\n" % chance.randrange(10**6) for _ in range(count)
    ]


@pytest.mark.parametrize("per_run", [1, 7, 100, 1000, 1001, 5000])
def test_all_lines_come_out_sorted(tmp_path: Path, per_run: int) -> None:
    lines = random_lines(1000)
    write(tmp_path, lines, per_run)
    with open(tmp_path / "index.cdxj", "rb") as file:
        assert list(file) == sorted(lines)
    assert names(tmp_path) == ["index.cdxj"]


def test_no_more_runs_are_open_than_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cdxj, "_RUNS_PER_MERGE", 3)
    lines = random_lines(500)
    write(tmp_path, lines, 9)
    assert (tmp_path / "index.cdxj").read_bytes() == b"".join(sorted(lines))
    assert names(tmp_path) == ["index.cdxj"]


def test_memory_holds_less_than_a_run(tmp_path: Path) -> None:
    index = open_index(tmp_path, 10)
    for line in random_lines(95):
        index.add(line)
    assert names(tmp_path) == [f".cdxj-00000-{serial:05}.run" for serial in range(9)]
    index.close()


def test_an_earlier_index_is_kept(tmp_path: Path) -> None:
    first, second = random_lines(50, 1), random_lines(50, 2)
    state = write(tmp_path, first, 20)
    write(tmp_path, second, 20, state)
    assert (tmp_path / "index.cdxj").read_bytes() == b"".join(sorted(first + second))


def test_an_empty_index_is_an_empty_file(tmp_path: Path) -> None:
    write(tmp_path, [], 10)
    assert (tmp_path / "index.cdxj").read_bytes() == b""


def test_the_index_appears_when_its_commit_is_on_record(tmp_path: Path) -> None:
    index = open_index(tmp_path, 10)
    index.add(b"a line\n")
    index.finish()
    index.commit()
    assert "index.cdxj" not in names(tmp_path)
    index.tidy()
    assert names(tmp_path) == ["index.cdxj"]
    index.close()


def test_what_a_commit_on_record_merged_gets_into_the_index_later(tmp_path: Path) -> None:
    first = random_lines(30, 1)
    state = write(tmp_path, first, 20)
    index = open_index(tmp_path, 10, state)
    second = random_lines(30, 2)
    for line in second:
        index.add(line)
    index.finish()
    state = index.commit()
    index.close()  # and never was it tidied
    open_index(tmp_path, 10, state).close()
    assert (tmp_path / "index.cdxj").read_bytes() == b"".join(sorted(first + second))
    assert names(tmp_path) == ["index.cdxj"]


def test_adding_a_merged_run_twice_changes_nothing(tmp_path: Path) -> None:
    state = write(tmp_path, random_lines(30, 1), 20)
    index = open_index(tmp_path, 100, state)
    for line in random_lines(30, 2):
        index.add(line)
    index.finish()
    state = index.commit()
    (run,) = tmp_path.glob(".*.run")
    lines = run.read_bytes()
    index.tidy()
    index.close()
    before = (tmp_path / "index.cdxj").read_bytes()
    run.write_bytes(lines)  # as if the crash had come before it was deleted
    open_index(tmp_path, 100, state).close()
    assert (tmp_path / "index.cdxj").read_bytes() == before
    assert names(tmp_path) == ["index.cdxj"]


def test_what_the_last_commit_names_outlives_a_tidy(tmp_path: Path) -> None:
    index = open_index(tmp_path, 10)
    lines = random_lines(25)
    for line in lines:
        index.add(line)
    state = index.commit()
    index.finish()  # not committed, so that the runs and the spool are still needed
    index.tidy()
    index.close()
    write(tmp_path, [], 10, state)
    assert (tmp_path / "index.cdxj").read_bytes() == b"".join(sorted(lines))


@pytest.mark.parametrize("per_run", [7, 100])
@pytest.mark.parametrize("spooled", [0, 3])
def test_a_failed_merge_can_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spooled: int, per_run: int
) -> None:
    monkeypatch.setattr(cdxj, "_RUNS_PER_MERGE", 3)
    index = open_index(tmp_path, per_run)
    lines = random_lines(60)
    for line in lines[:spooled]:
        index.add(line)
    index.commit()
    for line in lines[spooled:]:
        index.add(line)
    with no_room(), pytest.raises(OSError, match="No space"):
        index.finish()
    state = index.commit()
    index.close()
    write(tmp_path, [], per_run, state)
    assert (tmp_path / "index.cdxj").read_bytes() == b"".join(sorted(lines))


def test_a_failed_run_does_not_confuse_the_spool(tmp_path: Path) -> None:
    index = open_index(tmp_path, 3)
    index.add(b"z\n")
    index.commit()
    index.add(b"y\n")
    with no_room(), pytest.raises(OSError, match="No space"):
        index.add(b"a\n")
    state = index.commit()
    index.close()
    write(tmp_path, [], 3, state)
    assert (tmp_path / "index.cdxj").read_bytes() == b"a\ny\nz\n"
