"""Partitions as processes on one machine or on many, and the exchange between them.

A crawl of N partitions is N whole rings, each with its own folder `state/0000n`, for the hosts it owns,
and one supervisor, the process that was started. Between two partitions travel *messages*:

    what                         topic      to the owner of            who sends
    candidates                   LINKS      the URL's host             the ring, after the scope test
    who links to whom            EDGES      the domain linked to       the ring, for STAR
    what seeds redirect to       ROOTS      everybody                  the ring, for the scope
    contents that were kept      PRINTS     the content's fingerprint  the content test
    what links bring to pages    ORDER      the URL's host             the ring, for the order

Messages are delivered exactly once, so counts and sums (backlinks, OPIC cash, ranks) can travel like this,
too. A later kind of message is another topic: a number in `message_kinds.py`, a method that sends it and a
line in `neighbour_partitions.py` that hands it on.

    ring ─▶ Outbox, one for each neighbour ─▶ wire ─▶ supervisor ─▶ wire ─▶ Mailbox ─▶ ring
            open │ fresh │ queue │ window                                      │
                   commit      committed          ◀── acknowledged: durable ───┘

Messages are collected into *batches*. The group commit records new batches, together with the
visits that brought them; only then they are sent, in order, numbered without a gap. The receiver
records the number of the last batch it took together with what was in it, and only then
acknowledges; the sender keeps a batch until then. So a crash of either, anywhere, loses nothing and
doubles nothing (`tests/cluster/test_mailbox.py` tries them all). Nor does a carrier that loses, doubles or
delays batches: what is not acknowledged for a while is sent again, and what comes early waits. What waits
beyond a window of a few megabytes waits on disk. A sender whose neighbour lags far behind starts no visits.

*Questions* are for what cannot wait for a commit: is this content known (`shared_content.py`)? what does the
robots.txt say that was moved to a host of yours? They are answered at once or later, kept in memory
only, and asked again when the asked partition was restarted.

Where to look: `frames` and `wire` move bytes; `outbox`, `mailbox`, `questions` keep what must not be lost;
`neighbour_partitions` speaks the ring's language; `shared_content` finds copies across partitions,
`shared_turns` keeps requests to server addresses polite across them. `partition` is a job that the
supervisor directs, `carrier` says what it runs in, `partition_processes` runs each in a child process
(`die_with_parent`: it does not outlive its supervisor), and `partition_member` is a partition as the
supervisor knows it. `quota` (pages), `ending` (is it over?), `restart_limits` (is it hopeless?),
`hang_detection` (does it hang?) and `merged_summary` (one summary of many) are decisions without any I/O;
`supervisor` acts on them, and `crawl.Crawl` is what users see.

Invariants:
- a host has one owner, and with it all hosts of its pay-level domain (`core/url/owner.py`);
- a batch is sent only when it is recorded, and forgotten only when its receiver has it recorded;
- quotas handed out never add up to more than `crawl.max_pages`;
- the crawl is over when all partitions were idle and all outboxes empty twice in a row, and nobody had
  heard anything in between.

The supervisor passes frames on and does not look into them. It needs only a `Carrier`, so a partition can be
a process, a Ray actor (`cluster/remote`) or just a generator (`lab/simulator`). Only `shared_turns.py`
needs all partitions on one machine; `remote/borrowed_turns.py` stands in for it elsewhere.
"""
