"""`gossamer verify` reads what was announced to a crawl."""

from pathlib import Path

import msgspec
import pytest

from gossamer.core.disk.journal import path_of
from gossamer.core.errors import DamageError
from gossamer.engine.inbox import Announcement, Inbox, InboxState, InboxWriter
from gossamer.engine.ledger import Checkpoint, Progress, Record
from gossamer.verify.check_inbox import inspect_inbox


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    writer = InboxWriter(tmp_path)
    for number in range(3):
        writer.write(Announcement("http://hub.test/", [f"http://a.test/{number}"]))
        if number == 1:
            writer._journal.rotate()
    writer.close()
    return tmp_path


def change(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


def test_all_announcements_are_read(inbox: Path) -> None:
    assert inspect_inbox(inbox, []) == "3 announcements"


def test_what_was_not_written_to_its_end_is_in_order(inbox: Path) -> None:
    path = path_of(inbox, 1)
    path.write_bytes(path.read_bytes()[:-4])
    assert inspect_inbox(inbox, []) == "2 announcements"


@pytest.mark.parametrize(
    ("number", "place", "said"),
    [
        (0, 0, "its first bytes are wrong"),
        (0, -20, "is damaged at"),
        (1, 45, "is damaged at"),
    ],
)
def test_damage_is_one_line(inbox: Path, number: int, place: int, said: str) -> None:
    change(path_of(inbox, number), place)
    with pytest.raises(DamageError, match=said) as caught:
        inspect_inbox(inbox, [])
    assert "\n" not in str(caught.value)


def test_a_file_that_is_shorter_than_what_was_read(inbox: Path) -> None:
    path = path_of(inbox, 1)
    state = InboxState((1, path.stat().st_size, 7))
    components = {Inbox.name: msgspec.msgpack.encode(state)}
    record = Record(Checkpoint(components=components), {}, Progress())
    assert inspect_inbox(inbox, [record]) == "3 announcements"
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(DamageError, match="journal-000001"):
        inspect_inbox(inbox, [record])
