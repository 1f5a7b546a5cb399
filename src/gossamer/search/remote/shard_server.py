"""Answers for the shards of a machine.

It has a thread for each line. A client is answered from the index as it was when the connection began.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from socket import create_server, socket
from threading import Thread
from typing import Any

import msgspec

from gossamer.cluster.remote.connection_tls import ConnectionTls
from gossamer.cluster.remote.handshake import (
    SECONDS,
    RemoteConnectionError,
    Welcome,
    receive,
    welcome,
)
from gossamer.core.directory import Directory
from gossamer.core.errors import GossamerError
from gossamer.search.index_part import IndexPart, Match, PageAddress
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
from gossamer.search.text_index import open_part

_log = logging.getLogger("gossamer")
_decode = msgspec.msgpack.Decoder(ShardCall).decode


class ShardServer:
    """Listens at an address of this machine, for the shards of a crawl directory or some of them."""

    def __init__(
        self,
        directory: Path,
        secret: bytes,
        host: str = "127.0.0.1",
        port: int = 0,
        shards: Sequence[int] = (),
        tls: ConnectionTls | None = None,
    ) -> None:
        self._directory, self._secret, self._shards = directory, secret, shards
        self._tls = tls
        self._open()  # what is wrong with it is told at once
        if tls is not None:
            tls.check()
        try:
            self._server = create_server((host, port))
        except OSError as error:
            raise GossamerError(
                f"{host}:{port}: cannot listen: {error}; choose another --host or --port"
            ) from None
        self.address: tuple[str, int] = self._server.getsockname()[:2]

    def serve(self) -> None:
        """Answer until it is closed."""
        while True:
            try:
                line, _ = self._server.accept()
            except OSError:
                return
            Thread(target=self._attend, args=(line,), name="gossamer-shards", daemon=True).start()

    def close(self) -> None:
        with suppress(OSError):  # wakes up the thread that listens
            self._server.shutdown(2)
        self._server.close()

    def _open(self) -> tuple[IndexPart, AboutShards]:
        part, manifest = open_part(self._directory / "index", self._shards)
        settings = Directory(self._directory).look().search
        return part, AboutShards(len(part), manifest.groups, settings)

    def _attend(self, line: socket) -> None:
        if self._tls is not None:
            try:
                line = self._tls.answer(line, SECONDS)
            except RemoteConnectionError as error:
                _log.warning("%s", error)
                line.close()
                return
        with line:
            try:
                hello = receive(line, self._secret)
                if hello.role != "search":
                    welcome(line, Welcome("only shards of an index are here"))
                    return
                part, about = self._open()
                welcome(line, Welcome())
                line.settimeout(None)
                while data := read_message(line):
                    write_message(line, _reply(part, about, data))
            except RemoteConnectionError as error:
                _log.warning("%s", error)
            except GossamerError as error:
                with suppress(RemoteConnectionError, OSError):
                    welcome(line, Welcome(str(error)))
            except OSError:
                return


def _reply(part: IndexPart, about: AboutShards, data: bytes) -> ShardReply:
    try:
        answer = _answer(part, about, _decode(data))
    except GossamerError as error:
        return ShardReply(refused=str(error))
    except Exception as error:  # a question that came through the network must not end the thread
        return ShardReply(refused=f"{type(error).__name__}: {error}")
    return ShardReply(msgspec.Raw(msgspec.msgpack.encode(answer)))


def _answer(part: IndexPart, about: AboutShards, call: ShardCall) -> Any:
    match call:
        case AboutCall():
            return about
        case CountsCall(terms):
            return part.counts(terms)
        case BestCall(whole, terms, ask, limit):
            return part.best_in(whole, terms, ask, limit)
        case CountCall(ask):
            return part.count(ask)
        case FindCall(key):
            return part.find(key)
        case ShowCall(segment, number):
            return part.shown(Match(0.0, 0, 0, 0, PageAddress(segment, number)))
        case FrequencyCall(field, term):
            return part.frequency(field, term)
        case WordsCall(beginning, most):
            return part.words(beginning, most)
