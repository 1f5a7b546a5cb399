"""A web that lives: its pages change, grow, move, vanish and are born, as a seed and a time in days say.

>>> from gossamer.lab.living_web import WebEvolution, averages, visits_of
>>> evolution = WebEvolution(7, [300, 100])
>>> changes = evolution.changes(0, 30)
>>> daily = [day for day in range(30) for _ in range(len(evolution))]
>>> once_a_day = visits_of(len(evolution), list(range(len(evolution))) * 30, daily)
>>> 0.5 < averages(changes, once_a_day, 0, 30).freshness() < 0.9
True

- `living_settings`: how lively; `fates`: what becomes of each page, drawn once for all of them; `rhythm`,
  `change_chains`: from each change of a page to the next; `news`: who announces whom; `evolution`: all of
  it, to be asked.
- `living_web`: the simulated web at the day that its `day_clock` says; `living_rendering` writes its
  pages, of `text_fragments` that a version has and of `ornaments` that are no change; `habits`,
  `living_headers`, `host_listing`, `sitemaps`: what hosts say.
- `change_table`: a table of changes, of a living web or of real pages (`histories`). `page_visits`,
  `copy_freshness`: what a crawl that visited pages at given times has of it; `log_visits`: the visits
  that a server has seen.

Invariants: everything is a function of seed, page and time, and nothing is kept between two questions; the
table, the version of a page and what is served agree to the second.
"""

from gossamer.lab.living_web.change_table import ChangeTable
from gossamer.lab.living_web.copy_freshness import (
    Averages,
    age,
    averages,
    captured,
    delays,
    discoveries,
    freshness,
)
from gossamer.lab.living_web.day_clock import EPOCH, FixedDay, WebClock
from gossamer.lab.living_web.habits import Candour, Habits
from gossamer.lab.living_web.histories import Histories, read_histories
from gossamer.lab.living_web.living_settings import EvolutionSettings
from gossamer.lab.living_web.living_web import LivingWeb
from gossamer.lab.living_web.log_visits import visits_in
from gossamer.lab.living_web.page_visits import Visits, visits_of
from gossamer.lab.living_web.rhythm import Rhythm
from gossamer.lab.living_web.text_fragments import TextFragment, fragments_of
from gossamer.lab.living_web.web_life import WebEvolution

__all__ = [
    "EPOCH",
    "Averages",
    "Candour",
    "ChangeTable",
    "EvolutionSettings",
    "FixedDay",
    "Habits",
    "Histories",
    "LivingWeb",
    "Rhythm",
    "TextFragment",
    "Visits",
    "WebClock",
    "WebEvolution",
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
