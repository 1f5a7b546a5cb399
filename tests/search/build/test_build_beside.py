"""An index beside a crawl that is running, of pages that change and vanish."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from gossamer.archive.committed_rows import CommittedRows
from gossamer.core.clock import VirtualClock
from gossamer.core.directory import Directory
from gossamer.core.disk import disk_files
from gossamer.lab import Web
from gossamer.lab.url_answer import Answer
from gossamer.search.build import Index, build_index
from gossamer.search.query import MOST_WORDS
from gossamer.text import build_texts, text_build
from tests.engine.virtual import START, crawl_virtually
from tests.examples import PROFILE
from tests.search.build.build_reading import ReadHere

DAY = 100.0
ROUNDS = 10 if PROFILE == "new" else 4
SYSTEM = disk_files.system


class ChangingWeb(Web):
    """Each page has a word of its own, by which it also calls another; some change it daily, some vanish."""

    def __init__(self, clock: VirtualClock) -> None:
        super().__init__(seed=5, pages=14, hosts=3)
        self._clock = clock
        self.served: dict[str, str] = {}
        """The word that each page had when it was asked for last; nothing when it had vanished."""
        self.old: set[str] = set()
        """Words that pages no longer had when they were asked for last."""
        self.quiet_since = 0.0

    def answer_at(self, site: int, target: str) -> Answer:
        answer = super().answer_at(site, target)
        self.quiet_since = self._clock.now()
        day = int((self.quiet_since - START) / DAY)
        if answer.is_ordinary and (number := 7 * site + answer.index) % 4 == 2 and day > number % 9:
            self._serve(site, answer.index, "")
            return Answer(site, answer.index, "not found", status=404)
        return answer

    def body_of(self, answer: Answer) -> bytes:
        body = super().body_of(answer)
        if not answer.is_ordinary:
            return body
        day = int((self._clock.now() - START) / DAY)
        version = day if answer.index % 3 else 0
        word = f"word{answer.site}x{answer.index}x{version}"
        self._serve(answer.site, answer.index, word)
        other = self.url(answer.site, (answer.index + 1) % self.size(answer.site))
        said = f"<p>{f'This page says {word}. ' * 5}<a href='{other}'>called{word}</a></p></body>"
        return body.replace(b"</body>", said.encode())

    def _serve(self, site: int, index: int, word: str) -> None:
        url = self.url(site, index)
        if (before := self.served.get(url)) and before != word:
            self.old.add(before)
        self.served[url] = word


class Rounds:
    """Brings the index up to date once a day, while the crawl goes on, and asks it."""

    def __init__(self, web: ChangingWeb, clock: VirtualClock, out: Path) -> None:
        self._web, self._clock, self._out = web, clock, out
        self.done = self.gone = 0

    def look(self, *_: Any) -> None:
        now = self._clock.now()
        is_due = now > START + (self.done + 1.5) * DAY and self.done < ROUNDS
        if is_due and now > self._web.quiet_since + 3:  # what was asked for is recorded
            with patch.object(disk_files, "system", SYSTEM):
                self._bring_up_to_date()
            self._ask()
            self.done += 1

    def _bring_up_to_date(self) -> None:
        assert Directory(self._out).is_in_use, "the crawl is running"
        record = CommittedRows(Directory(self._out))
        for _ in build_texts(self._out, 1, is_latest=True, record=record):
            pass
        for _ in build_index(self._out, 1 << 24, record=record):
            pass

    def _ask(self) -> None:
        index, served = Index.open(self._out), self._web.served
        there = {url: word for url, word in served.items() if word}
        assert len(index) == len(there)
        for url, word in there.items():
            assert [hit.url for hit in index.search(word).hits] == [url], word
        names = [name for word in sorted(self._web.old) for name in (word, f"called{word}")]
        for some in (names[at : at + MOST_WORDS] for at in range(0, len(names), MOST_WORDS)):
            assert index.search(" OR ".join(some)).hits == (), "nothing is found by words of before"
        self.gone = len(served) - len(there)


def test_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each, search finds the new words and not the old ones; ten of them in `make soak`."""
    monkeypatch.setattr(text_build, "ProcessPoolExecutor", ReadHere)
    clock = VirtualClock(START)
    web, out = ChangingWeb(clock), tmp_path / "out"
    rounds = Rounds(web, clock, out)
    knobs: dict[str, Any] = {
        **{"continuous": True, "day": DAY, "policy": "uniform", "shortest": 1.0, "longest": 1.0},
        **{"delay": 0.2, "address_delay": 0, "soft_errors": False, "dust": False},
        **{"max_seconds": (ROUNDS + 2) * DAY, "partitions": 2},
    }
    crawl_virtually(web, out, clock=clock, look=rounds.look, **knobs)
    assert rounds.done == ROUNDS
    assert rounds.gone >= 2, "some pages have vanished"
    assert len(web.old) > 3 * ROUNDS, "and most have changed again and again"
    shards = sorted(path.name for path in (out / "index").glob("0*"))
    assert shards == ["00000", "00001"]
