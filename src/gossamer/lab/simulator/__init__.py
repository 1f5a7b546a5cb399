"""The whole crawl in a simulator: the real code, virtual time, faults from a seed.

The ring, the components, the job, the partitions, their exchange and their supervisor run as they are.
What is simulated is what they take from outside: the clock, the network and the name servers (`World`),
the disk (`core/disk/disk_files.py`), and what carries partitions (`cluster/carrier.py`). Everybody lives
in one process and takes turns on a `Stage`, so a simulated day takes seconds, and the same seed gives the
same run.

    play ──▶ stage ──▶ leader (the crawl, or the supervisor), followers (partitions)
      │        │              │            │
    faults   clock         network ◀── fetcher, names        lines between them
      │                       │
    disk                   referee: looks at every request, and at everything in the end

- `virtual_poller`: a poller that does not wait. `simulated_connections`: what partitions say to the
  supervisor, and mishaps.
- `simulated_network`, `simulated_fetcher`, `simulated_dns`: the simulated web (`lab.Web`) without
  sockets; `lying_web`: hosts that lie.
- `simulated_disk`: kills at a write, torn writes, lost unsynced writes, failed reads, a full disk, a slow
  one; `simulated_folders`: lost names.
- `referee`: what a crawl has promised; `politeness_check`: politeness, as servers see it.
- `virtual_actors`: who comes next. `scenario`: how often each fault happens. `simulation`: one seed, from
  start to verdict.

Invariants: nothing here reads the real time; all chance that decides anything comes from the seed; what is
decided in a run is a function of the seed, the scenario and the code. (Python's own hash of strings comes
from outside, so `gossamer lab simulate` fixes it.) The files of an output are the same byte for byte.
"""

from gossamer.lab.simulator.scenario import SCENARIOS, Scenario, draw_scenario, find_scenario
from gossamer.lab.simulator.simulation import Story, simulate

__all__ = ["SCENARIOS", "Scenario", "Story", "draw_scenario", "find_scenario", "simulate"]
