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
- `web`: the simulated web at the day that its `clock` says; `render` writes its pages, of `fragments` that
  a version has and of `ornaments` that are no change; `habits`, `fields`,
  `listing`, `sitemaps`: what hosts say.
- `changes`: a table of changes, of a living web or of real pages (`histories`). `visits`, `freshness`: what
  a crawl that visited pages at given times has of it; `log`: the visits that a server has seen.

Invariants: everything is a function of seed, page and time, and nothing is kept between two questions; the
table, the version of a page and what is served agree to the second.
"""

from gossamer.lab.life.changes import ChangeTable
from gossamer.lab.life.clock import EPOCH, FixedDay, LifeClock
from gossamer.lab.life.fragments import TextFragment, fragments_of
from gossamer.lab.life.freshness import (
    Averages,
    age,
    averages,
    captured,
    delays,
    discoveries,
    freshness,
)
from gossamer.lab.life.habits import Candour, Habits
from gossamer.lab.life.histories import Histories, read_histories
from gossamer.lab.life.life import WebLife
from gossamer.lab.life.log import visits_in
from gossamer.lab.life.rhythm import Rhythm
from gossamer.lab.life.settings import LifeSettings
from gossamer.lab.life.visits import Visits, visits_of
from gossamer.lab.life.web import LivingWeb

__all__ = [
    "EPOCH",
    "Averages",
    "Candour",
    "ChangeTable",
    "FixedDay",
    "Habits",
    "Histories",
    "LifeClock",
    "LifeSettings",
    "LivingWeb",
    "Rhythm",
    "TextFragment",
    "Visits",
    "WebLife",
    "age",
    "averages",
    "captured",
    "delays",
    "discoveries",
    "fragments_of",
    "freshness",
    "read_histories",
    "visits_in",
    "visits_of",
]
