"""A web that lives: its pages change, grow, move, vanish and are born, as a seed and a time in days say.

>>> from gossamer.lab.life import WebLife, averages, visits_of
>>> life = WebLife(7, [300, 100])
>>> changes = life.changes(0, 30)
>>> daily = [day for day in range(30) for _ in range(len(life))]
>>> once_a_day = visits_of(len(life), list(range(len(life))) * 30, daily)
>>> 0.5 < averages(changes, once_a_day, 0, 30).freshness() < 0.9
True

- `settings`: how lively; `fates`: what becomes of each page, drawn once for all of them; `rhythm`, `walk`:
  from each change of a page to the next; `news`: who announces whom; `life`: all of it, to be asked.
- `changes`: a table of changes, of a living web or of real pages (`histories`). `visits`, `freshness`: what
  a crawl that visited pages at given times has of it.

Invariants: everything is a function of seed, page and time, and nothing is kept between two questions; the
table, the version of a page and what is served agree to the second.
"""

from gossamer.lab.life.changes import ChangeTable
from gossamer.lab.life.freshness import (
    Averages,
    age,
    averages,
    captured,
    delays,
    discoveries,
    freshness,
)
from gossamer.lab.life.histories import Histories, read_histories
from gossamer.lab.life.life import WebLife
from gossamer.lab.life.rhythm import Rhythm
from gossamer.lab.life.settings import LifeSettings
from gossamer.lab.life.visits import Visits, visits_of

__all__ = [
    "Averages",
    "ChangeTable",
    "Histories",
    "LifeSettings",
    "Rhythm",
    "Visits",
    "WebLife",
    "age",
    "averages",
    "captured",
    "delays",
    "discoveries",
    "freshness",
    "read_histories",
    "visits_of",
]
