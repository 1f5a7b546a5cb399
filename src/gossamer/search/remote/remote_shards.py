"""Shards on another machine, asked through a line."""

from collections.abc import Sequence
from pathlib import Path
from socket import create_connection, socket
from threading import Lock
from typing import TypeVar

import msgspec

from gossamer.cluster.remote.connection_tls import ConnectionTls
from gossamer.cluster.remote.handshake import SECONDS, RemoteConnectionError, present_oneself
from gossamer.core.errors import GossamerError
from gossamer.search.build.crawl_index import linking_in
from gossamer.search.fields import Shown
from gossamer.search.index_part import Ask, Match
from gossamer.search.remote.shard_calls import (
    AboutCall,
    AboutShards,
    BestCall,
    CountCall,
    CountsCall,
    FindCall,
    FrequencyCall,
    ShardCall,
    ShardReply,
    ShowCall,
    WordsCall,
    read_message,
    write_message,
)
from gossamer.search.scoring import PartCounts, Term
from gossamer.search.several_indexes import SeveralParts
from gossamer.search.terms import GROUPS
from gossamer.search.text_index import TextIndex

_LONGEST_WAIT = 60.0
_Answer = TypeVar("_Answer")


class RemotePart:
    """Fulfils `SearchPart`."""

    def __init__(self, place: str, secret: bytes, tls: ConnectionTls | None = None) -> None:
        self._place, self._tls = place, tls
        self._line = self._connect(secret)
        self._lock = Lock()
        self.moved = 0
        """Bytes that came back."""
        self.about = self._ask(AboutCall(), AboutShards)

    def __len__(self) -> int:
        return self.about.pages

    def best(self, ask: Ask, limit: int) -> tuple[list[Match], int]:
        raise NotImplementedError("a far part is asked with the statistics of all")

    def count(self, ask: Ask) -> int:
        return self._ask(CountCall(ask), int)

    def counts(self, terms: Sequence[Term]) -> PartCounts:
        return self._ask(CountsCall([*terms]), PartCounts)

    def best_in(
        self, whole: PartCounts, terms: Sequence[Term], ask: Ask, limit: int
    ) -> tuple[list[Match], int]:
        return self._ask(BestCall(whole, [*terms], ask, limit), tuple[list[Match], int])

    def find(self, key: int) -> Match | None:
        found: Match | None = msgspec.msgpack.decode(self._say(FindCall(key)), type=Match | None)
        return found

    def shown(self, one: Match) -> Shown:
        return self._ask(ShowCall(*one.place), Shown)

    def frequency(self, field: str, term: str) -> int:
        return self._ask(FrequencyCall(field, term), int)

    def words(self, beginning: str, most: int) -> list[tuple[str, int]]:
        return self._ask(WordsCall(beginning, most), list[tuple[str, int]])

    def close(self) -> None:
        self._line.close()

    def _connect(self, secret: bytes) -> socket:
        host, _, port = self._place.rpartition(":")
        if not host or not port.isdigit():
            raise GossamerError(f"{self._place!r} is not an address; write HOST:PORT")
        try:
            line = create_connection((host.strip("[]"), int(port)), SECONDS)
        except OSError as error:
            raise GossamerError(f"the shards at {self._place} cannot be reached: {error}") from None
        try:
            if self._tls is not None:
                line = self._tls.call(line, SECONDS)
            present_oneself(line, secret, "search", "")
        except RemoteConnectionError as error:
            line.close()
            hint = "" if self._tls else "; if they have TLS, set RAY_USE_TLS=1 here, too"
            raise GossamerError(
                f"the shards at {self._place} do not answer: {error}{hint}"
            ) from None
        line.settimeout(_LONGEST_WAIT)
        return line

    def _ask(self, call: ShardCall, kind: type[_Answer]) -> _Answer:
        return msgspec.msgpack.decode(self._say(call), type=kind)

    def _say(self, call: ShardCall) -> msgspec.Raw:
        try:
            with self._lock:
                write_message(self._line, call)
                data = read_message(self._line)
        except OSError as error:
            raise GossamerError(f"the shards at {self._place} do not answer: {error}") from None
        if not data:
            raise GossamerError(f"the shards at {self._place} closed the connection")
        self.moved += len(data)
        reply = msgspec.msgpack.decode(data, type=ShardReply)
        if reply.refused:
            raise GossamerError(f"the shards at {self._place} say: {reply.refused}")
        return reply.body


def open_remote(
    places: Sequence[str],
    secret: bytes,
    directory: Path | None = None,
    tls: ConnectionTls | None = None,
) -> TextIndex:
    """Shards at several places as one index; `directory` is the crawl, to know who links to whom."""
    parts = [RemotePart(place, secret, tls) for place in dict.fromkeys(places)]
    there = {group for part in parts for group in part.about.groups}
    groups = tuple(group for group in GROUPS if group in there)
    linking = linking_in(directory) if directory is not None else None
    return TextIndex.of(SeveralParts(parts), groups, parts[0].about.settings, linking)
