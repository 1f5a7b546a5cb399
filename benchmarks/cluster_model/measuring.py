"""Small runs with the real parts: what a page and a link cost."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from socket import socket, socketpair
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from benchmarks.cluster_model.figures import Measured, PerLink
from gossamer.cluster.frames import Frame, FrameKind, FrameReader, encode
from gossamer.cluster.message_kinds import Topic
from gossamer.cluster.remote.partition_connection import pack as compress
from gossamer.core.errors import SettingsError
from gossamer.core.records import Candidate, Via
from gossamer.core.settings import Settings
from gossamer.core.url import Url, parse
from gossamer.lab.server import serve
from gossamer.lab.simulated_web import Web
from gossamer.pipeline.seen import pack

_SAMPLE = 400
"""Pages whose links are looked at."""
BATCHES = (1, 3, 10, 30, 100, 300)
_FRAMES = 2000
_PARTITIONS = 4


class SmallCrawl(Struct, frozen=True):
    """What a crawl of a simulated web took, all in all."""

    pages: int
    cpu: float
    fetched: int
    shipped: int
    memory: int
    messages: int
    """Sent to other partitions, or left out because they just had been."""
    questions: int


def measure(seed: int, pages: int) -> Measured:
    """All figures. Two crawls are made, of a quarter of the pages and of all: what both have is the start."""
    short, whole = crawl(seed, pages // 4), crawl(seed, pages)
    more = whole.pages - short.pages
    if more < 1:
        raise SettingsError(f"a web of {pages} pages is too small to measure; take some hundreds")
    web = Web(seed, pages, max(2, pages // 20))
    links, candidates = look_at_links(web, seed)
    foreign = len(candidates) / min(_SAMPLE, web.pages)
    shared = crawl(seed, pages, _PARTITIONS)
    offered = shared.pages * (_PARTITIONS - 1) / _PARTITIONS
    return Measured(
        pages=whole.pages,
        cpu=(whole.cpu - short.cpu) / more,
        fetched=whole.fetched / whole.pages,
        shipped=(whole.shipped - short.shipped) / more,
        idle=short.memory,
        components=memory_of_components(Settings()),
        links=links,
        foreign=foreign,
        told=max(0.0, shared.messages / offered - foreign),
        asked=shared.questions / offered,
        batches=[PerLink(count, bytes_per_link(candidates, count)) for count in BATCHES],
        relay=relay_seconds(candidates),
    )


def memory_of_components(settings: Settings) -> int:
    """Bytes of memory that a partition fills in the course of a large crawl; the rest is on disk."""
    components = (settings.frontier, settings.seen, settings.budget, settings.content)
    return sum(room.memory for room in components) + settings.store.history_memory


def crawl(seed: int, pages: int, partitions: int = 1) -> SmallCrawl:
    """Crawl a simulated web over real sockets, with remote storage, in a process of its own."""
    web = Web(seed, pages, max(2, pages // 20))
    with TemporaryDirectory() as folder, serve(web) as served:
        out, storage = Path(folder) / "crawl", Path(folder) / "home"
        command = [sys.executable, "-m", "gossamer.cli", "crawl", served.seed_url, "-o", str(out)]
        command += ["--storage", storage.as_uri(), "--scope", "all", "--delay", "0"]
        command += ["--partitions", str(partitions)]
        command += ["--allow-private", "--dns", served.dns_address, "--max-pages", "0"]
        command += ["--set", "politeness.address_delay=0", "--quiet", "--json"]
        said = Path(folder) / "said"
        with open(said, "wb") as file:
            running = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)
            _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
        if running.returncode:
            raise SettingsError(f"the small crawl failed: {said.read_text().strip()}")
        summary = json.loads(said.read_text().splitlines()[-1])
        sent = sum(path.stat().st_size for path in storage.rglob("*") if path.is_file())
    cpu, memory = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
    said_to = summary["exchange"]
    messages = said_to.get("sent", 0) + said_to.get("left_out", 0)
    asked = said_to.get("questions", 0)
    return SmallCrawl(summary["pages"], cpu, summary["bytes"], sent, memory, messages, asked)


def look_at_links(web: Web, seed: int) -> tuple[float, list[Candidate]]:
    """Links of a page on average, and those of a sample that lead to other hosts, as they are sent."""
    urls = sorted(web.urls())
    sample = Random(seed).sample(urls, min(_SAMPLE, len(urls)))
    total, foreign = 0, []
    for source in sample:
        host = _url(source).host
        for link in web.links(source):
            total += 1
            url = _url(link.url)
            if url.host != host:
                foreign.append(Candidate(url, 3, Via.LINK, source, anchor=link.anchor))
    return total / len(sample), foreign


def _url(text: str) -> Url:
    url = parse(text)
    assert url is not None, "the simulated web has only URLs"
    return url


def bytes_per_link(links: Sequence[Candidate], count: int) -> float:
    """What links take up on their way to one neighbour, so many in each batch."""
    frames = [encode(compress(frame)) for frame in _batches(links, count)]
    return sum(map(len, frames)) / (len(frames) * count)


def _batches(links: Sequence[Candidate], count: int) -> list[Frame]:
    packed = [(int(Topic.LINKS), pack(link)) for link in links]
    parts = [packed[at : at + count] for at in range(0, len(packed) - count + 1, count)]
    bodies = [msgspec.msgpack.encode(part) for part in parts or [(packed * count)[:count]]]
    return [Frame(FrameKind.BATCH, 1, number, 0, body) for number, body in enumerate(bodies)]


def relay_seconds(links: Sequence[Candidate]) -> float:
    """CPU seconds to read a frame of ten links from one socket and write it to another."""
    data = b"".join(map(encode, map(compress, _batches(links, 10)))) or b"\0"
    (giver, taker), (sender, receiver) = socketpair(), socketpair()
    with giver, taker, sender, receiver:
        receiver.setblocking(False)
        reader, passed, spent = FrameReader(), 0, 0.0
        while passed < _FRAMES:
            giver.sendall(data[: 1 << 15])
            start = time.process_time()
            reader.feed(taker.recv(1 << 18))
            for frame in reader:
                sender.sendall(encode(frame))
                passed += 1
            spent += time.process_time() - start
            data = data[1 << 15 :] + data[: 1 << 15]
            _empty(receiver)
    return spent / passed


def _empty(end: socket) -> None:
    """Throw away what has arrived."""
    with suppress(BlockingIOError):
        while end.recv(1 << 20):
            pass
