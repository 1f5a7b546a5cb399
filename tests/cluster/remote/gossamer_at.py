"""A command of Gossamer on one of several nodes of Ray that share a machine.

    python -m tests.cluster.remote.gossamer_at CLUSTER ADDRESS COMMAND …

Ray would take the node of the head for the own one: it looks at the processes of the machine.
"""

import sys

from gossamer.cli import main


def enter(cluster: str, address: str) -> None:
    import ray

    ray.init(
        cluster,
        _node_ip_address=address,
        namespace="gossamer",
        log_to_driver=False,
        logging_level="error",
    )


if __name__ == "__main__":
    cluster, address, *arguments = sys.argv[1:]
    enter(cluster, address)
    sys.argv[1:] = arguments
    main()
