"""The other partitions, in the words of the ring."""

import pickle
from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.cluster.exchange import Exchange
from gossamer.cluster.message_kinds import Message, Question, Topic
from gossamer.cluster.recently_sent import Popular
from gossamer.core.neighbour_protocol import NOTHING, Edge, Neighbours, News
from gossamer.core.records import Candidate, Page
from gossamer.core.url import Url, owner_of, pay_level_domain
from gossamer.pipeline.seen import pack, unpack

_MOST_MESSAGES = 5000
"""Messages taken in one turn of the ring, and the rest of the last batch."""
_ROBOTS_BYTES = 1 << 20
"""Bytes of a robots.txt that are handed on: twice what anybody reads."""

_encode = msgspec.msgpack.Encoder().encode
_decode_edge = msgspec.msgpack.Decoder(Edge).decode


class ExchangeStatistics(Struct, frozen=True):
    sent: int
    """Messages to neighbours …"""
    received: int
    """… and from them."""
    left_out: int
    """Links that were not sent because they just had been."""
    questions: int
    """Frames of questions asked."""
    waiting_bytes: int
    """Bytes that neighbours do not have recorded yet."""


class Partitions(Neighbours):
    """`Neighbours` that are other partitions of the same crawl."""

    def __init__(
        self,
        exchange: Exchange,
        listeners: Mapping[Topic, Callable[[bytes], None]],
    ) -> None:
        """`listeners` take in what neighbours say of their pages' contents."""
        self._exchange = exchange
        self._listeners = listeners
        self._partition, self._partitions = exchange.partition, exchange.partitions
        self._others = [one for one in range(self._partitions) if one != self._partition]
        self._popular_urls, self._popular_edges = Popular(), Popular()
        self._robots: dict[tuple[str, str], Question] = {}
        """Who asked for which moved robots.txt: by the origin it is for, and where it is."""

    def is_own(self, host: str) -> bool:
        return owner_of(host, self._partitions) == self._partition

    def keep_own(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        own, partition, partitions = [], self._partition, self._partitions
        for candidate in candidates:
            owner = owner_of(candidate.url.host, partitions)
            if owner == partition:
                own.append(candidate)
            elif not self._popular_urls.is_known(candidate.url.key):
                self._exchange.send(owner, Topic.LINKS, pack(candidate))
        return own

    def keep_own_edges(self, source: str, targets: set[str]) -> set[str]:
        own: set[str] = set()
        foreign: set[str] = set()
        for host in targets:
            (own if self.is_own(host) else foreign).add(host)
        domain = pay_level_domain(source)
        for target in {pay_level_domain(host) for host in foreign} - {domain}:
            if not self._popular_edges.is_known(hash((domain, target)) & _64_BITS):
                owner = owner_of(target, self._partitions)
                self._exchange.send(owner, Topic.EDGES, _encode((domain, [target])))
        return own

    def send_root(self, url: Url) -> None:
        for other in self._others:
            self._exchange.send(other, Topic.ROOTS, url.text.encode())

    def hand_over(self, partition: int, rank_update: bytes) -> None:
        self._exchange.send(partition, Topic.ORDER, rank_update)

    def news(self) -> News:
        self._exchange.tick()
        messages = self._exchange.receive(_MOST_MESSAGES)
        return self._read(messages) if messages else NOTHING

    @property
    def has_news(self) -> bool:
        return self._exchange.has_messages

    def _read(self, messages: Sequence[Message]) -> News:
        candidates: list[Candidate] = []
        edges: list[Edge] = []
        roots: list[str] = []
        rank_updates: list[bytes] = []
        for topic, payload in messages:
            if topic == Topic.LINKS:
                candidates.append(unpack(payload))
            elif topic == Topic.EDGES:
                edges.append(_decode_edge(payload))
            elif topic == Topic.ROOTS:
                roots.append(payload.decode())
            elif topic == Topic.ORDER:
                rank_updates.append(payload)
            else:
                self._listeners[Topic(topic)](payload)
        return News(candidates, edges, roots, rank_updates)

    # A robots.txt that was moved.

    def ask_robots(self, hop: Candidate) -> None:
        self._exchange.ask(owner_of(hop.url.host, self._partitions), Topic.ROBOTS, pack(hop))

    def robots_asked(self) -> list[Candidate]:
        hops = []
        for question in self._exchange.asked(Topic.ROBOTS):
            hop = unpack(question.payload)
            self._robots[hop.source, hop.url.text] = question
            hops.append(hop)
        return hops

    def answer_robots(self, page: Page) -> None:
        question = self._robots.pop((page.visit.source, page.url), None)
        if question is not None:
            short = replace(
                page, body=page.body[:_ROBOTS_BYTES], payload=b"", request=b"", head=b""
            )
            self._exchange.answer(question, pickle.dumps(short))

    def robots_answers(self) -> list[Page]:
        return [pickle.loads(answer) for _, answer in self._exchange.answers(Topic.ROBOTS)]

    # Recorded.

    def note(self) -> bytes:
        return self._exchange.commit()

    def noted(self) -> None:
        self._exchange.mailbox.committed()
        self._exchange.is_awaited = False
        self._exchange.tick()

    def checkpoint(self) -> bytes:
        return self._exchange.mailbox.checkpoint()

    def checkpoint_published(self) -> None:
        self._exchange.mailbox.checkpoint_published()

    @property
    def disk_bytes(self) -> int:
        return self._exchange.mailbox.disk_bytes

    def statistics(self) -> ExchangeStatistics:
        mailbox = self._exchange.mailbox.statistics()
        return ExchangeStatistics(
            sent=mailbox.sent,
            received=mailbox.received,
            left_out=self._popular_urls.hits + self._popular_edges.hits,
            questions=self._exchange.questions_asked,
            waiting_bytes=mailbox.waiting_bytes,
        )

    def close(self) -> None:
        self._exchange.close()


_64_BITS = (1 << 64) - 1
