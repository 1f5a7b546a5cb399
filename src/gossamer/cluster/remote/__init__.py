"""Partitions on other machines: a connection over the network, a lease, and a place to live.

    supervisor                                         a node
    RemoteCarrier ── Launcher ──────── ticket, errand ──▶ attend ── RemoteTask ── RemotePartition
       │                                                  │
    Switchboard ◀── line: frames, both ways ──────────────┤
       │        ◀── lease: "may I go on?" "yes" ──────────┘ (a thread of its own)
    AddressArbiter     whose turn it is at which server address

A *life* of a partition has one connection and one lease. It asks hosts and sends to remote storage only
while its lease holds. A connection that breaks ends the incarnation; nothing is reconnected. The
supervisor begins the next incarnation when the one before has said that it is gone, or when its lease has
surely run out. So no host is ever asked by two incarnations.

What an incarnation leaves behind is in remote storage (`cluster/home`), and nowhere else: its folder on
the node goes with it.

Files: `handshake` (who is there, and is it the same Gossamer?), `connection_tls`, `lease`, `renewal` (asks
for it again and again), `partition_connection` (the connection, on the node), `attend` (a whole life),
`remote_task` (what it does), `leased` (world and home that mind the lease), `remote_partition`; for the
supervisor `connection_listener`, `supervisor_connection`, `remote_carrier` and `address_arbiter`, with
`borrowed_turns` as its other end; `launcher` is what starts lives, `relaunch` starts again what never
called, `rays` is Ray, and `fork_server` is where lives of one machine are forked, so that they share memory.
"""
