"""Partitions on other machines: a line over the network, a lease, and a place to live.

    supervisor                                         a node
    FarCarrier ── Launcher ──────── ticket, errand ──▶ attend ── FarErrand ── FarPartition
       │                                                  │
    Switchboard ◀── line: frames, both ways ──────────────┤
       │        ◀── lease: "may I go on?" "yes" ──────────┘ (a thread of its own)
    AddressDesk     whose turn it is at which server address

A *life* of a partition has one line and one lease. It asks hosts and sends home only while its lease holds.
A line that breaks ends the life; nothing is reconnected. The supervisor begins the next life when the one
before has said that it is gone, or when its lease has surely run out. So no host is ever asked by two lives.

What a life leaves behind is at home (`cluster/home`), and nowhere else: its folder on the node goes with it.

Files: `handshake` (who is there, and is it the same Gossamer?), `line_tls`, `lease`, `renewal` (asks for it
again and again), `near_end` (the line, on the node), `attend` (a whole life), `far_errand` (what it does),
`leased` (world and home that mind the lease), `far_partition`; for the supervisor `switchboard`, `far_line`,
`far_carrier` and `address_desk`, with `borrowed_turns` as its other end; `launcher` is what starts lives,
`second_try` starts again what never called, `rays` is Ray, and `nest` is where lives of one machine are
forked, so that they share memory.
"""
