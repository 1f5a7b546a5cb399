"""A crawl with remote storage goes on elsewhere when its machine is lost."""

import shutil
import signal
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import gossamer
from gossamer.cluster.storage import CrawlStorage, RemoteStorageError, retrying_storage
from gossamer.cluster.storage.crawl_storage import _SentStatus
from gossamer.cluster.storage.object_storage import FolderStorage
from gossamer.cluster.storage.partition_files import Tree
from gossamer.cluster.storage.restore import download, read_manifest
from gossamer.cluster.storage.stored_log import STORED_LOG
from gossamer.cluster.storage.uploader import Shipper
from gossamer.core.clock import SystemClock, VirtualClock
from gossamer.core.directory import Directory
from gossamer.core.disk.journal_watermark import END
from gossamer.core.errors import DirectoryError
from gossamer.core.settings import Settings, StoreSettings
from gossamer.engine.control import command_history, command_journal
from gossamer.engine.control.control_state import look
from gossamer.engine.event_log import read_log
from gossamer.engine.status_file import crawl_of, decode_checked, encode_status, read_summary
from gossamer.engine.timeline import read_timeline
from gossamer.lab import ServedWeb, Web, serve
from gossamer.verify import inspect
from tests.engine.engine_checking import assert_valid
from tests.engine.engine_crawling import DNS, asked, query
from tests.engine.engine_forks import command, death_after
from tests.engine.moments import commit_each_turn

COMPARED = 15
WEB = Web(seed=5, pages=240, hosts=12)


def begin(served: ServedWeb, path: Path, **knobs: Any) -> gossamer.Crawl:
    """A crawl that makes many small files, with remote storage."""
    settings = Settings(
        dns=DNS(servers=(served.dns_address,)),
        store=StoreSettings(checkpoint_every=0.5, warc_size=1 << 16, rows=400),
    )
    given = {"delay": 0, "scope": "all", "allow_private": True, **knobs}
    storage = f"file://{path / 'storage'}"
    return gossamer.Crawl(
        served.seed_url, out=path / "out", settings=settings, storage=storage, **given
    )


def home_of(path: Path) -> CrawlStorage:
    return CrawlStorage(f"file://{path / 'storage'}", SystemClock())


def lose_machine(path: Path) -> None:
    """All that is left is in remote storage."""
    shutil.rmtree(path / "out")
    home_of(path).download(path / "out")


def stored(out: Path) -> Counter[str]:
    return Counter(url for (url,) in query(out, "select url from pages where status = 200"))


def assert_in_order(out: Path) -> None:
    assert_valid(out)
    assert [finding for finding in inspect(out) if finding.is_problem] == []


def test_after_each_commit_all_is_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte for byte, at each of the first commits, and at each checkpoint.

    Each turn is recorded, and so much makes a checkpoint: how many there are is no matter of time.
    """
    ship, shipped = Shipper.ship, Counter[bool]()

    def ship_and_compare(
        self: Shipper, *, is_checkpoint: bool = False, is_last: bool = False
    ) -> None:
        ship(self, is_checkpoint=is_checkpoint, is_last=is_last)
        shipped[is_checkpoint] += 1
        if shipped.total() > COMPARED and not (is_checkpoint or is_last):
            return
        manifest, fresh = (
            read_manifest(self._storage, self._folder),
            Tree(Directory(tmp_path / "out")),
        )
        copy = tmp_path / f"copy{shipped.total()}"
        download(self._storage, manifest, copy)
        for name, path in fresh._files(is_checkpoint):
            assert (copy / name).read_bytes() == path.read_bytes(), name
        shutil.rmtree(copy)

    monkeypatch.setattr(Shipper, "ship", ship_and_compare)
    with serve(WEB) as served, commit_each_turn():
        begin(
            served, tmp_path, order="opic-disk", journal_bytes=20_000, checkpoint_every=3600.0
        ).run()
    assert shipped[False] >= 2
    assert shipped[True] >= 2


def test_a_crawl_that_was_stopped_goes_on_elsewhere(tmp_path: Path) -> None:
    with serve(WEB) as served:
        begin(served, tmp_path, max_pages=100).run()
        lose_machine(tmp_path)
        assert_in_order(tmp_path / "out")
        summary = gossamer.Crawl.resume(tmp_path / "out", max_pages=0).run()
        assert (summary.stopped_by, set(asked(served).values())) == ("finished", {1})
        assert set(stored(tmp_path / "out")) == served.web.expected()
        lose_machine(tmp_path)
        assert_in_order(tmp_path / "out")
        assert home_of(tmp_path).summary().stopped_by == "finished"
    names = {path.name for path in (tmp_path / "out" / "warc").glob("*.warc.gz")}
    assert {path.name for path in (tmp_path / "storage" / "warc").glob("*.warc.gz")} == names
    assert (tmp_path / "storage" / "warc" / "index.cdxj").exists()


@pytest.mark.parametrize("partitions", [1, 2])
def test_a_machine_that_is_lost_in_the_midst(tmp_path: Path, partitions: int) -> None:
    """Killed with everything on it: what was sent to remote storage is there, and no page is recorded
    twice."""
    with serve(WEB) as served:
        arguments = [
            served.seed_url,
            "-o",
            str(tmp_path / "out"),
            "--storage",
            home_of(tmp_path).url,
        ]
        arguments += [
            "--scope",
            "all",
            "--delay",
            "0",
            "--allow-private",
            "--dns",
            served.dns_address,
        ]
        with death_after(60, Random(partitions)):
            ended = command("crawl", *arguments, "--partitions", str(partitions), "-q")
        assert ended.status == -signal.SIGKILL
        lose_machine(tmp_path)
        summary = gossamer.Crawl.resume(tmp_path / "out").run()
        assert summary.stopped_by == "finished"
        assert set(asked(served)) == served.web.expected()
        assert stored(tmp_path / "out") == Counter(served.web.expected())
        assert_in_order(tmp_path / "out")


def test_a_directory_that_is_not_the_last_is_refused(tmp_path: Path) -> None:
    """The crawl went on elsewhere: whoever goes on with the old directory would undo that."""
    with serve(WEB) as served:
        begin(served, tmp_path, max_pages=20).run()
        home_of(tmp_path).download(tmp_path / "elsewhere")
        gossamer.Crawl.resume(tmp_path / "elsewhere", max_pages=40).run()
        with pytest.raises(
            RemoteStorageError, match=r"was continued elsewhere; download it: gossamer resume"
        ):
            gossamer.Crawl.resume(tmp_path / "out", max_pages=60).run()
        gossamer.Crawl.resume(tmp_path / "elsewhere", max_pages=60).run()
    assert home_of(tmp_path).summary().pages == 60


def test_a_home_that_holds_a_crawl_is_left_alone(tmp_path: Path) -> None:
    with serve(WEB) as served:
        begin(served, tmp_path, max_pages=5).run()
        (tmp_path / "out").rename(tmp_path / "before")
        with pytest.raises(
            RemoteStorageError, match="holds a crawl; continue it: gossamer resume file://"
        ):
            begin(served, tmp_path, max_pages=5).run()
    assert not (tmp_path / "out").exists()


def test_a_home_without_a_crawl(tmp_path: Path) -> None:
    with pytest.raises(
        RemoteStorageError, match="holds no crawl; give the URL that was named with --storage"
    ):
        home_of(tmp_path).download(tmp_path / "out")
    with pytest.raises(RemoteStorageError, match="holds no crawl"):
        home_of(tmp_path).summary()


def test_orders_are_at_home_too(tmp_path: Path) -> None:
    """Whoever goes on elsewhere is told the same: what is blocked, and which settings were changed."""
    with serve(WEB) as served:
        blocked = served.web.names[3]
        crawl = begin(served, tmp_path, max_pages=40)
        pages = iter(crawl)
        next(pages)
        crawl.send_command("pause")
        crawl.send_command("block", blocked)
        crawl.send_command("set", "crawl.max_pages=60")
        crawl.close()
        lose_machine(tmp_path)
        state = look(tmp_path / "out")
        assert state.active_commands.is_paused
        assert set(state.active_commands.blocked) == {blocked}
        assert len(command_history(tmp_path / "out")) == 3
        gossamer.send_command(tmp_path / "out", "go-on")
        before = len(served.requests())
        summary = gossamer.Crawl.resume(tmp_path / "out").run()
        assert summary.pages == 60
        assert blocked not in {one.host for one in served.requests()[before:]}
        assert not look(tmp_path / "out").active_commands.is_paused
        lose_machine(tmp_path)
        assert not look(tmp_path / "out").active_commands.is_paused, (
            "what was told in between is in remote storage"
        )


def test_many_orders_are_at_home_without_a_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Orders for a crawl that does not run fill several files, and all of them go to remote storage when
    it is resumed."""
    monkeypatch.setattr(command_journal, "_LONGEST", 100)
    with serve(WEB) as served:
        begin(served, tmp_path, max_pages=5).run()
        for number in range(12):
            gossamer.send_command(tmp_path / "out", "block", f"host{number}.test")
        gossamer.Crawl.resume(tmp_path / "out", changes={"crawl.max_pages": 8}).run()
    assert len(sorted((tmp_path / "storage" / "control").glob("journal-*.log"))) > 3
    lose_machine(tmp_path)
    assert len(look(tmp_path / "out").active_commands.blocked) == 12


def test_a_look_at_a_home_follows_its_orders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old files go here as they go in remote storage, and only what may have changed is fetched."""
    monkeypatch.setattr(command_journal, "_LONGEST", 200)
    monkeypatch.setattr(command_journal, "_MOST_FILES", 4)
    fetched, shell, get = list[str](), tmp_path / "shell", FolderStorage.get

    def noted(self: FolderStorage, name: str, *piece: Any) -> bytes:
        fetched.append(name)
        return get(self, name, *piece)

    with serve(WEB) as served:
        crawl = begin(served, tmp_path, max_pages=40)
        pages = iter(crawl)
        next(pages)
        crawl.send_command("block", "host.test")
        home_of(tmp_path).make_shell(shell)
        monkeypatch.setattr(FolderStorage, "get", noted)
        for orders in (1, 2, 3, 1, 30, 0, 1):
            for _ in range(orders):
                crawl.send_command("pause")
                crawl.send_command("go-on")
            own = {file.name for file in (shell / "state/control").iterdir()}
            fetched.clear()
            home_of(tmp_path).refresh_shell(shell)
            there = {
                file.name: file.read_bytes() for file in (tmp_path / "storage/control").iterdir()
            }
            here = {file.name: file.read_bytes() for file in (shell / "state/control").iterdir()}
            assert here.pop(END), "how far they have come is noted here, and never sent"
            assert here == there
            assert set(look(shell).active_commands.blocked) == {"host.test"}
            known = {Path(name).name for name in fetched if name.startswith("control/")} & own
            assert len(known) <= 2, "others were full before"
        crawl.close()
    assert "journal-000000.log" not in here


def test_log_and_timeline_go_on_elsewhere(tmp_path: Path) -> None:
    """One log and one timeline, whatever machine was lost; `gossamer log` reads them from remote storage."""
    with serve(WEB) as served:
        crawl = begin(served, tmp_path, max_pages=40)
        crawl.run()
        before = read_timeline(tmp_path / "out")
        lose_machine(tmp_path)
        assert read_summary(tmp_path / "out").pages == 40
        gossamer.Crawl.resume(tmp_path / "out", max_pages=60).run()
        lose_machine(tmp_path)
        told = [(one.event, one.message) for one in read_log(tmp_path / "out")]
    kinds = [kind for kind, _ in told if kind in ("started", "resumed", "stopped")]
    assert kinds == ["started", "stopped", "resumed", "stopped"]
    (resumed,) = (words for kind, words in told if kind == "resumed")
    assert "40 pages so far" in resumed
    assert resumed.endswith("the last run ended by: max_pages")
    timeline = read_timeline(tmp_path / "out")
    assert timeline.times[: len(before)].tolist() == before.times.tolist()
    assert timeline.column("pages")[-1] == 60
    ended = command("log", home_of(tmp_path).url, "--event", "stopped")
    assert (ended.status, ended.out.count("stopped - max_pages")) == (0, 2), ended


def test_a_log_that_cannot_be_sent_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = FolderStorage.put

    def refuse(self: FolderStorage, name: str, data: bytes) -> None:
        if name.startswith(STORED_LOG):
            raise ConnectionError("reset by peer")
        put(self, name, data)

    monkeypatch.setattr(FolderStorage, "put", refuse)
    monkeypatch.setattr(retrying_storage, "PAUSES", (0.0,))
    with serve(WEB) as served:
        assert begin(served, tmp_path, max_pages=20).run().pages == 20
    lose_machine(tmp_path)
    assert [*read_log(tmp_path / "out")] == []
    assert read_summary(tmp_path / "out").pages == 20


class Cut(BaseException):
    """The process is killed: what is on disk stays as it is."""


def _cut_after(monkeypatch: pytest.MonkeyPatch, storage: CrawlStorage, most: int) -> None:
    """Have the copy end when so many objects were fetched."""
    object_storage, left = storage._storage, [most]
    get = object_storage.get

    def get_some(name: str, start: int = 0, size: int | None = None) -> bytes:
        left[0] -= 1
        if left[0] < 0:
            raise Cut
        return get(name, start, size)

    monkeypatch.setattr(object_storage, "get", get_some)


def test_a_copy_that_was_killed_is_completed_by_the_same_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it was killed; what had come is not fetched again."""
    with serve(WEB) as served:
        begin(served, tmp_path, max_pages=60).run()
    out, url = tmp_path / "copy", home_of(tmp_path).url
    home_of(tmp_path).download(tmp_path / "at once")
    moments, was_killed = 0, True
    while was_killed:
        storage = home_of(tmp_path)
        _cut_after(monkeypatch, storage, moments)
        try:
            storage.download(out)
        except Cut:
            moments += 7
        else:
            was_killed = False
        if was_killed and out.exists() and any(out.iterdir()):
            with pytest.raises(DirectoryError, match=f"incomplete copy from {url}; complete it"):
                Directory(out).open()
    assert moments > 20
    assert_in_order(out)
    names = {path.relative_to(out) for path in out.rglob("*") if path.is_file()}
    whole = tmp_path / "at once"
    assert names - {Path("state/lock")} == {
        path.relative_to(whole) for path in whole.rglob("*") if path.is_file()
    }


def test_a_copy_of_another_crawl_is_left_alone(tmp_path: Path) -> None:
    with serve(WEB) as served:
        begin(served, tmp_path, max_pages=5).run()
    out = tmp_path / "copy"
    out.mkdir()
    (out / ".copied-from").write_text("s3://bucket/other")
    with pytest.raises(DirectoryError, match="incomplete copy from s3://bucket/other"):
        home_of(tmp_path).download(out)


def test_what_a_crawl_says_of_itself_is_not_believed_for_ever(tmp_path: Path) -> None:
    """It was killed: its last word in remote storage is that it runs."""
    with serve(WEB) as served:
        begin(served, tmp_path, max_pages=5).run()
    status = tmp_path / "storage" / "status.json"
    data = status.read_bytes()
    told = replace(decode_checked(data, _SentStatus), stopped_by="", sent_at=1_000_000.0)
    status.write_bytes(encode_status(told, crawl_of(data)))

    def ended(now: float) -> str:
        return CrawlStorage(home_of(tmp_path).url, VirtualClock(now)).summary().stopped_by

    assert ended(1_000_030.0) == ""
    assert ended(1_000_300.0) == "killed"


@pytest.mark.parametrize("damage", ["cut", "flipped", "no text"])
def test_a_damaged_status_at_home_is_one_line_and_stops_no_copy(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    """It was a traceback, or another number of pages."""
    with serve(WEB) as served:
        begin(served, tmp_path, max_pages=5).run()
    status = tmp_path / "storage" / "status.json"
    data = status.read_bytes()
    other = {
        "cut": data[: len(data) // 2],
        "flipped": data.replace(b'"pages":5', b'"pages":7', 1),
        "no text": data.replace(b'"max_pages"', b'"max\xffpages"'),
    }
    assert other[damage] != data
    status.write_bytes(other[damage])
    with pytest.raises(RemoteStorageError, match=r"status\.json is damaged"):
        home_of(tmp_path).summary()
    home_of(tmp_path).download(tmp_path / "copy")
    assert "status.json is damaged" in caplog.text
    assert_in_order(tmp_path / "copy")
