"""The ring, and what stands around it.

One turn of the ring is `ring.py`; it takes what has arrived once round. Beside it:

- `components`: the record of all components, and which of them have state
- `approach`: from the frontier to the server and back, with `robots_txt` (how permission is asked for),
  `rests` (when a host may be asked again) and `seed_warnings` (which seeds cannot be reached)
- `following`: from a page's links to candidates
- `idle`: when there is nothing to do, and for how long
- `recorder`: commits, checkpoints, going on; with `ledger` (the files), `stream` (what passed through) and
  `retried_seeds` (seeds that brought no page)

Around the ring:

- `assignment`: what is to be crawled, how and where; mistakes in it are found there
- `seeds`: URLs as people write them; `earlier_crawls`: where the crawl is that `--known` names
- `build`: builds the components; `warm` has their kernels compiled
- `job`: one ring from its directory to its last checkpoint; `commits`: when the next commit is due
- `solo`: a crawl in one process; `limits`: when it has had enough
- `counters`, `account`, `summary`, `status`: what was done, and how it is reported; `script_shells`: pages
  that are empty without a browser
- `timeline`: how that went over time; `log`: what happened; `disk_space_monitor`: when there is little room
- `switch`, `stopwatch`: stop and pause; for how long it ran
- `world`: time, chance, waiting and the network come from outside
"""
