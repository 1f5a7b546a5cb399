"""A Ray cluster on this machine, whose nodes come and go."""

from pathlib import Path
from random import Random

from tests.cluster.remote.ray_nodes import HOST, RayNode, free_port, wait_for_head, wait_for_nodes


class Cluster:
    """Some nodes and a head, which has no partitions to lose."""

    def __init__(self, folder: Path, count: int) -> None:
        self._folder = folder
        self._count = count
        self._started = 0
        self._port = free_port()
        self.address = f"{HOST}:{self._port}"
        self._head = self._start(is_head=True)
        self.nodes: list[RayNode] = []

    def open(self) -> None:
        """Nodes come one after the other: those that come at once take each other's names."""
        self._enter()
        for _ in range(self._count):
            self.add()

    def add(self) -> None:
        self.nodes.append(self._start())
        wait_for_nodes(len(self.nodes) + 1)

    @property
    def in_use(self) -> list[RayNode]:
        """Nodes that have partitions; none when all were lost a moment ago."""
        return [one for one in self.nodes if one.is_used]

    def replace_one(self, chance: Random) -> None:
        """One that has partitions is lost, and another one joins."""
        lost = chance.choice(self.in_use)
        lost.kill()
        self.nodes[self.nodes.index(lost)] = self._start()

    def lose_head(self) -> None:
        """The head dies. Without it the nodes end by themselves, some time later.

        So does whoever is connected to it, without a word: the tests' own process leaves before.
        """
        import ray

        ray.shutdown()
        self._head.kill()

    def start_over(self, count: int) -> None:
        """Another head at the same place, and so many nodes."""
        self._leave()
        self._port = free_port()
        self.address = f"{HOST}:{self._port}"
        self._count, self.nodes = count, []
        self._head = self._start(is_head=True)
        self.open()

    def actors(self) -> set[str]:
        """As Ray's dashboard names them."""
        import ray

        return {one["name"] for one in ray.util.list_named_actors(all_namespaces=True)}

    def node_names(self) -> set[str]:
        """The beginnings of their numbers, of those that have gone as well."""
        import ray

        return {one["NodeID"][:8] for one in ray.nodes()}

    def all_nodes(self) -> list[RayNode]:
        return [self._head, *self.nodes]

    def close(self) -> None:
        self._leave()

    def _enter(self) -> None:
        import ray

        wait_for_head(self._head, self._port)
        ray.init(self.address, namespace="gossamer", log_to_driver=False, logging_level="error")

    def _leave(self) -> None:
        import ray

        ray.shutdown()
        for node in self.all_nodes():
            node.kill()

    def _start(self, is_head: bool = False) -> RayNode:
        self._started += 1
        cores, folder = 0 if is_head else 2, self._folder / f"{self._started}"
        return RayNode(folder, self._port, is_head=is_head, cores=cores)
