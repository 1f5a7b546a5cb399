"""The stage: actors that take turns on a virtual clock, one step at a time.

An actor is what would be a process: the supervisor, or a partition. Each step is one turn of its loop. Who
comes next is who wakes first. Time passes between steps, and within one when the disk is slow. An actor can
be killed at any operation of its disk. Its files stay as they are then, but for what it deletes while
`Killed` passes through it.
"""

from collections.abc import Callable, Iterator
from math import inf
from random import Random

from gossamer.cluster.carrier import Live
from gossamer.core.clock import VirtualClock
from gossamer.core.errors import GossamerError
from gossamer.lab.simulator.simulated_connections import (
    Direction,
    Mishaps,
    VirtualConnection,
    VirtualEnd,
)
from gossamer.lab.simulator.simulated_disk import Killed, SimulatedDisk
from gossamer.lab.simulator.virtual_poller import VirtualPoller

_KILLED = -9
_STEP = 0.0005
"""Seconds that a step takes, about."""
_MOVING = 0.5
"""How likely it is that a partition is said to be misplaced, when the supervisor asks."""


class Actor:
    """Stands for a process."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.pollers: list[VirtualPoller] = []
        self.begins = 0.0
        self.is_alive = True
        self.frozen_until = 0.0
        """A process that is stopped, or has to wait for a processor: it does nothing until then."""

    def step(self) -> bool:
        """One turn; is there more to do?"""
        raise NotImplementedError

    @property
    def next_wake(self) -> float:
        wake = min((poller.next_wake for poller in self.pollers), default=self.begins)
        return max(wake if wake < inf else self.begins, self.frozen_until)

    def die(self) -> None:
        """Gone at once, whatever it was doing."""
        self.is_alive = False
        for poller in self.pollers:
            poller.is_closed = True


class Leader(Actor):
    """The process that was started: a crawl of one partition, or the supervisor of several."""

    def __init__(self, turns: Iterator[object]) -> None:
        super().__init__("leader")
        self._turns = turns

    def step(self) -> bool:
        return next(self._turns, self) is not self


class Follower(Actor):
    """A partition, as its carrier and its supervisor see it."""

    machine = ""

    def __init__(
        self,
        number: int,
        live: Live,
        end: VirtualEnd,
        line: VirtualConnection,
        on_kill: Callable[["Follower"], None],
    ) -> None:
        super().__init__(f"follower {number}")
        self._on_kill = on_kill
        self.pid = number
        self.line = line
        self.status = 0
        self._live = live
        self._end = end
        self._steps: Iterator[None] | None = None

    def step(self) -> bool:
        if self._steps is None:
            self._steps = self._live(self._end)
        try:
            has_more = next(self._steps, self) is not self
        except (OSError, GossamerError):
            self.status, has_more = 1, False
        if not has_more:
            self.die()
        return has_more

    def die(self) -> None:
        super().die()
        self._end.line.close()

    def kill(self) -> None:
        if self.is_alive:
            self.status = _KILLED
            self.die()
            self._on_kill(self)

    def bury(self) -> int:
        assert not self.is_alive, "nobody is buried alive"
        self.line.close()
        return self.status


class Stage:
    """All actors of a crawl's life."""

    is_remote = False

    def __init__(
        self,
        clock: VirtualClock,
        disk: SimulatedDisk,
        chance: Random,
        mishaps: Mishaps,
        pace: float = 0.0,
        moves: int = 0,
    ) -> None:
        """`pace` is for how many seconds a process may have to wait for a processor; `moves`, how many
        partitions are said to be misplaced.
        """
        self._moves = moves
        self._numbers: set[int] = set()
        self._pace = pace
        self.clock = clock
        self.disk = disk
        self.chance = chance
        self._mishaps = mishaps
        self._actors: list[Actor] = []
        self._dead: list[Actor] = []
        self._count = 0
        self.on_stage: Actor | None = None
        """Whose step it is."""
        self.steps = 0
        self.deaths: list[str] = []
        """Who was killed."""

    # A world's poller, a cluster's carrier.

    def poller(self) -> VirtualPoller:
        poller = VirtualPoller(self.clock)
        assert self.on_stage is not None, "an actor waits with it"
        self.on_stage.pollers.append(poller)
        return poller

    def misplaced(self) -> int | None:
        if not self._moves or self.chance.random() > _MOVING:
            return None
        self._moves -= 1
        return self.chance.choice(sorted(self._numbers))

    def start(self, number: int, live: Live) -> Follower:
        self._count += 1
        self._numbers.add(number)
        assert self.on_stage is not None
        up = Direction(self.clock, self.chance, Mishaps())
        down = Direction(self.clock, self.chance, self._mishaps)
        up.receiver = self.on_stage.pollers[-1]
        ends = VirtualEnd(down, up), VirtualConnection(up, down)
        follower = Follower(self._count, live, *ends, self._note_death)
        follower.begins = self.clock.now() + _STEP
        self._actors.append(follower)
        return follower

    def close(self) -> None:
        """Nobody is left."""

    # The play.

    def enter(self, make_turns: Callable[[], Iterator[object]]) -> Leader:
        """The leader comes first."""
        leader = Leader(make_turns())
        leader.begins = self.clock.now()
        self._actors = [leader]
        return leader

    def play(self, leader: Leader, look: Callable[[], None]) -> bool:
        """Go on until the leader has ended; False when it was killed. `look` is called after each step."""
        while leader.is_alive:
            actor = min(
                (one for one in self._actors if one.is_alive), key=lambda one: one.next_wake
            )
            self._pass_time(actor.next_wake)
            if not self._step(actor) and actor is leader:
                return True
            if self._pace:
                wait = self._pace * self.chance.random()
                actor.frozen_until = max(actor.frozen_until, self.clock.now() + wait)
            look()
        return False

    def _pass_time(self, until: float) -> None:
        if until < inf:
            self.clock.advance(max(0.0, until - self.clock.now()))
        self.clock.advance(_STEP * self.chance.random())

    def _step(self, actor: Actor) -> bool:
        self.steps += 1
        self.on_stage = actor
        try:
            return actor.step()
        except Killed:
            self.kill(actor)
            return True
        finally:
            self.on_stage = None

    def kill(self, actor: Actor) -> None:
        """SIGKILL; with a leader its followers go too, as the kernel sees to it."""
        doomed = self._actors if isinstance(actor, Leader) else [actor]
        for one in doomed:
            if isinstance(one, Follower):
                one.kill()
            elif one.is_alive:
                one.die()
                self._note_death(one)
        self.disk.is_dead = False

    def _note_death(self, one: Actor) -> None:
        self.deaths.append(one.name)

    def kill_all(self) -> None:
        for actor in self._actors:
            if isinstance(actor, Leader):
                self.kill(actor)

    def followers(self) -> list[Follower]:
        return [one for one in self._actors if isinstance(one, Follower) and one.is_alive]

    def freeze(self, actor: Actor, seconds: float) -> None:
        """SIGSTOP, and SIGCONT later."""
        actor.frozen_until = self.clock.now() + seconds

    def clear(self) -> None:
        """Between two lives: the dead are kept as they are, for Python would let each say its last words."""
        self._dead += self._actors
        self._actors = []
