"""Lives of partitions as actors of a Ray cluster.

Ray finds room for them, and starts their processes. All else is Gossamer's own: an actor calls the
supervisor, has its lease from there, and its files from remote storage. Ray never restarts one, because it
cannot know whether the lease of the one before has run out.
"""

import os
import pickle
from collections.abc import Callable, Collection
from contextlib import suppress
from importlib import import_module
from socket import create_connection
from subprocess import SubprocessError
from threading import Event, Thread, Timer
from typing import Any

from gossamer.cluster.carrier import Live
from gossamer.cluster.remote.balance import emptiest
from gossamer.cluster.remote.fork_server import be_born
from gossamer.cluster.remote.launcher import IncarnationEnded, Ticket
from gossamer.cluster.remote.lease import steady
from gossamer.cluster.remote.remote_worker import BROKEN, attend
from gossamer.core.errors import GossamerError

_KILLED = -9
_CORES = 0.01
"""Of a partition, as Ray counts: a machine takes many, but a head that offers no core takes none."""
_TIMEOUT = 5.0
"""Seconds that a cluster has to answer."""
_LOOK_EVERY = 5.0
"""Seconds between two looks at which machines there are …"""
_KNOWN_FOR = 20.0
"""… and for which the last look counts: nobody answers when the head has gone."""
_LATELY = 60.0
"""Seconds for which an incarnation counts after it was sent to a machine. One on which they end at once is
soon as full as others, and so it is left alone until the cluster knows that it is dead."""
_LINGER = 30.0
"""Seconds after its incarnation for which an actor waits to be fetched by its supervisor, which may have
gone."""


class RayError(GossamerError):
    """There is no Ray cluster to be used."""


class PartitionActor:
    """One incarnation of a partition, in a process of its own."""

    def attend(self, ticket: tuple[Any, ...], live: bytes) -> tuple[int, str, bool]:
        """Run an incarnation of what is pickled there, forked by the machine's fork server if it has one."""
        own = Ticket(*ticket)._replace(node=_node_here())
        try:
            ended = be_born(own, live)
        except (OSError, SubprocessError):
            ended = attend(own, pickle.loads(live))
        leave = Timer(_LINGER, os._exit, (0,))
        leave.daemon = True
        leave.start()
        return ended

    def pid(self) -> int:
        return os.getpid()


def _node_here() -> str:
    """The number of the node that an actor is on."""
    node: str = import_module("ray").get_runtime_context().get_node_id()
    return node


class RayLauncher:
    """Fulfils `Launcher`. Actors outlive this process: they notice by themselves that it has gone."""

    def __init__(self, address: str) -> None:
        """`address` as Ray has it; `auto` is the cluster that this machine belongs to."""
        self._ray = _load(address)
        made = self._ray.remote(max_restarts=0, max_task_retries=0, num_cpus=_CORES)
        self._actor = made(PartitionActor)
        self.host: str = self._ray.util.get_node_ip_address()
        """This machine, as the others call it."""
        self._incarnations: list[RayIncarnation] = []
        self._is_closed = Event()
        self._look()
        Thread(target=self._look_around, name="gossamer-machines", daemon=True).start()

    def places(self) -> Collection[str]:
        return self._known() - self._out_of_reach()

    @property
    def cores(self) -> int:
        """Of the whole cluster."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def launch(self, ticket: Ticket, live: Live) -> "RayIncarnation":
        self._incarnations = [
            incarnation for incarnation in self._incarnations if incarnation.counts
        ]
        places = self.places() or self._known()
        place = emptiest(places, (incarnation.place for incarnation in self._incarnations))
        options = {"name": ticket.name, "lifetime": "detached"}
        actor = self._actor.options(**options, scheduling_strategy=self._strategy(place)).remote()
        task = self._ray.cloudpickle.dumps(live)  # as bytes it costs an actor nothing
        reference = actor.attend.remote(tuple(ticket), task)
        incarnation = RayIncarnation(self._ray, actor, reference, place, self._is_better_elsewhere)
        self._incarnations.append(incarnation)
        return incarnation

    def close(self) -> None:
        """The connection to the cluster stays, for the next crawl of this process."""
        self._is_closed.set()

    def _known(self) -> set[str]:
        return self._places if steady() < self._looked + _KNOWN_FOR else set()

    def _out_of_reach(self) -> set[str]:
        """Machines whose lives went silent. Ray takes a minute to see that such a machine has gone, and until
        then what is sent there waits. When it comes back, Ray hears how the silent ones ended.
        """
        return {incarnation.place for incarnation in self._incarnations if incarnation.is_silent}

    def _is_better_elsewhere(self, place: str) -> bool:
        return place in self._out_of_reach() and bool(self.places())

    def _strategy(self, place: str) -> Any:
        """Prefer that machine; use another one when it has gone."""
        if not place:
            return "SPREAD"
        strategies = import_module("ray.util.scheduling_strategies")
        return strategies.NodeAffinitySchedulingStrategy(place, soft=True)

    def _look_around(self) -> None:
        """In a thread: without its head a cluster does not answer."""
        while not self._is_closed.wait(_LOOK_EVERY):
            with suppress(Exception):  # each version of Ray has errors of its own
                self._look()

    def _look(self) -> None:
        nodes = self._ray.nodes()
        self._places = {
            node["NodeID"] for node in nodes if node["Alive"] and node["Resources"].get("CPU")
        }
        self._looked = steady()


class RayIncarnation:
    """Fulfils `Launched`."""

    def __init__(
        self,
        ray: Any,
        actor: Any,
        reference: Any,
        place: str,
        is_better_elsewhere: Callable[[str], bool],
    ) -> None:
        self.place = place
        self._is_better_elsewhere = is_better_elsewhere
        self._is_given_up = False
        self._launched = steady()
        self._ray = ray
        self._actor = actor
        self._reference = reference
        self._ended: IncarnationEnded | None = None

    @property
    def counts(self) -> bool:
        """Does it take up room on its machine, or did it lately?"""
        return self._ended is None or steady() < self._launched + _LATELY

    @property
    def is_silent(self) -> bool:
        """Was it given up, without Ray having heard how it ended?"""
        return self._is_given_up and self.ended() is None

    @property
    def is_astray(self) -> bool:
        return bool(self.place) and self._is_better_elsewhere(self.place)

    def ended(self) -> IncarnationEnded | None:
        if self._ended is None:
            ready, _ = self._ray.wait([self._reference], timeout=0)
            if ready:
                self._ended = self._fetch()
                self.kill()
        return self._ended

    def kill(self) -> None:
        self._ray.kill(self._actor)

    def give_up(self) -> None:
        self._is_given_up = True

    def _fetch(self) -> IncarnationEnded:
        try:
            return IncarnationEnded(*self._ray.get(self._reference))
        except self._ray.exceptions.RayActorError:
            return IncarnationEnded(_KILLED)
        except self._ray.exceptions.RayError as error:
            return IncarnationEnded(BROKEN, " ".join(str(error).split("\n")[-1:]))


def _check_reachable(address: str) -> None:
    """Ray itself would try for minutes."""
    host, has_port, port = address.rpartition(":")
    if has_port and port.isdigit() and "/" not in address:
        try:
            create_connection((host.strip("[]"), int(port)), _TIMEOUT).close()
        except OSError as error:
            raise RayError(
                f"there is no Ray cluster at {address}: {error}; start one: ray start --head"
            ) from None


def _load(address: str) -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise RayError("--ray needs Ray; install it: pip install 'gossamer[ray]'") from None
    if not ray.is_initialized():
        _check_reachable(address)
        try:
            ray.init(address, namespace="gossamer", log_to_driver=False, logging_level="error")
        except Exception as error:  # each version of Ray has errors of its own for this
            said = str(error).strip().partition("\n")[0] or type(error).__name__
            raise RayError(
                f"there is no Ray cluster at {address}: {said}; start one: ray start --head"
            ) from None
    return ray
