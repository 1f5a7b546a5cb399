"""Many simulations: one process for each seed, several at a time."""

import gc
import os
import resource
import selectors
import signal
import time
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import NamedTuple

import msgspec

from gossamer.engine.warm import load
from gossamer.lab.prose import paragraphs_about
from gossamer.lab.simulator.scenario import Scenario, draw_scenario, find_scenario
from gossamer.lab.simulator.simulation import Story, simulate
from gossamer.lab.vocabulary import TOPICS

_LONGEST = 600
"""Seconds of processor time after which a simulation is taken to go on for ever; most take one or two."""
_TIMEOUT = 7200.0
"""Seconds after which it is taken to wait for something that never comes, however busy the machine is."""


class _Running(NamedTuple):
    seed: int
    name: str
    pid: int
    since: float


def choose(seed: int, name: str = "") -> tuple[str, Scenario]:
    """The scenario of a seed: the named one, or the one that is drawn for it."""
    return (name, find_scenario(name)) if name else draw_scenario(seed)


def play_all(seeds: Iterable[int], name: str = "", jobs: int = 2) -> Iterator[Story]:
    """Play every seed; stories come as they end."""
    _prepare()
    left = iter(seeds)
    running: dict[int, _Running] = {}
    selector = selectors.DefaultSelector()
    try:
        while True:
            while len(running) < jobs and (seed := next(left, None)) is not None:
                end, one = _start(seed, name)
                running[end] = one
                selector.register(end, selectors.EVENT_READ)
            if not running:
                return
            ready = [key.fd for key, _ in selector.select(1.0)]
            late = [end for end, one in running.items() if time.monotonic() - one.since > _TIMEOUT]
            for end in {*ready, *late}:
                selector.unregister(end)
                yield _end(end, running.pop(end), is_late=end in late)
    finally:
        for end, one in running.items():
            _end(end, one, is_late=True)
        selector.close()


def _prepare() -> None:
    """Load what every crawl needs, and make what every web is made of, so that no child has to; none looks
    through it for garbage, either.
    """
    load()
    import_module("pyarrow.dataset")  # by which tables are read
    for topic in range(len(TOPICS)):
        paragraphs_about(topic)
    gc.freeze()


def _start(seed: int, name: str) -> tuple[int, _Running]:
    end, theirs = os.pipe()
    pid = os.fork()
    if not pid:
        _play(seed, name, theirs)
    os.close(theirs)
    return end, _Running(seed, choose(seed, name)[0], pid, time.monotonic())


def _play(seed: int, name: str, end: int) -> None:
    """Simulate in a child process, and send the result; any other exception is a violation, too. Whatever
    else happens is a foul, too."""
    story = b""
    try:
        os.close(2)  # crashes are expected here, and reported only for a single seed
        os.open(os.devnull, os.O_WRONLY)
        resource.setrlimit(resource.RLIMIT_CPU, (_LONGEST, _LONGEST))
        chosen, scenario = choose(seed, name)
        story = msgspec.msgpack.encode(simulate(seed, chosen, scenario))
    except BaseException as error:
        words = f"{type(error).__name__}: {error}"
        story = msgspec.msgpack.encode(_broken(seed, choose(seed, name)[0], words))
    finally:
        with os.fdopen(end, "wb") as file:
            file.write(story)
        os._exit(0)


def _end(end: int, one: _Running, is_late: bool) -> Story:
    if is_late:
        os.kill(one.pid, signal.SIGKILL)
    with os.fdopen(end, "rb") as file:
        data = file.read()
    _, status = os.waitpid(one.pid, 0)
    if data:
        return msgspec.msgpack.decode(data, type=Story)
    is_late |= os.waitstatus_to_exitcode(status) == -signal.SIGXCPU
    how = "it took too long" if is_late else f"its process ended with {status}"
    return _broken(one.seed, one.name, how)


def _broken(seed: int, name: str, foul: str) -> Story:
    return Story(seed, name, foul, 0, 0, 0, 0, 0, 0.0, 0, 0, "")
