"""The engine: the crawl loop, its durable record, and commands to it.

`ring.py` has the loop; one turn takes all that has arrived through the stages once. Its parts:

- `stateful_components`: the record of all components, and which of them have state
- `fetch_preparation`: from the frontier to the server and back, with `robots_txt` (how permission is
  asked for), `host_delays` (when a host may be asked again) and `seed_warnings` (which seeds cannot be
  reached)
- `following`: from a page's links to candidates
- `idle`: when there is nothing to do, and for how long
- `recorder`: commits, checkpoints, resuming; with `ledger` (the files), `stream` (what passed through) and
  `retried_seeds` (seeds that brought no page)

Around the ring:

- `assignment`: what is to be crawled, how and where; mistakes in it are found there
- `seeds`: URLs as people write them; `earlier_crawls`: where the crawl is that `--known` names
- `builder`: builds the components; `warm` has their kernels compiled
- `job`: one ring from its directory to its last checkpoint; `commits`: when the next commit is due
- `solo`: a crawl in one process; `crawl_limits`: when it has had enough
- `counters`, `account`, `summary`, `status_reporting`: what was done, and how it is reported;
  `script_shells`: pages that are empty without a browser
- `timeline`: how that went over time; `event_log`: what happened; `disk_space_monitor`: a disk that is
  nearly full
- `run_control`, `stopwatch`: stop and pause; for how long it ran
- `world`: time, chance, waiting and the network come from outside
"""
