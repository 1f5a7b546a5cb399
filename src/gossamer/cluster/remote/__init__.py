"""Partitions on other machines: a connection over the network, a lease, and remote storage.

    supervisor                                         a node
    RemoteCarrier ── Launcher ──────── ticket, task ────▶ worker ── RemoteTask ── RemotePartition
       │                                                  │
    Listener    ◀── line: frames, both ways ──────────────┤
       │        ◀── lease: "may I go on?" "yes" ──────────┘ (a thread of its own)
    AddressArbiter     whose turn it is at which server address

An *incarnation* of a partition has one connection and one lease. It asks hosts and sends to remote
storage only while its lease holds. A connection that breaks ends the incarnation; nothing is reconnected.
The supervisor begins the next incarnation when the one before has said that it is gone, or when its lease
has surely run out. So no host is ever asked by two incarnations.

What an incarnation leaves behind is in remote storage (`cluster/storage`), and nowhere else: its folder on
the node goes with it.

Files: `handshake` (who is there, and is it the same Gossamer?), `connection_tls`, `lease`, `renewal` (asks
for it again and again), `partition_connection` (the connection, on the node), `remote_worker` (runs one
incarnation), `remote_task` (its work), `leased` (world and storage that check the lease),
`remote_partition`; for the supervisor `connection_listener`, `supervisor_connection`, `remote_carrier`
and `address_arbiter`, with `borrowed_turns` as its other end; `launcher` starts incarnations, `relaunch`
starts again those that never called, `ray_workers` uses Ray, and `fork_server` forks the incarnations of
one machine, so that they share memory.
"""
