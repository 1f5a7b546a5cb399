"""From the tables of a crawl to its text index.

In comes a crawl directory with its tables of pages, texts and links, and with ranks if there are some; out
comes `index/`, which says of each page what is needed to find it.

    pages/, graph/ranks.parquet ─▶ index_catalogue: which pages there are, their copies, their worth
    links/                      ─▶ anchors: what other pages call them, in files until they are needed
                                   index_sharding: which of them are in which shard and tier
                                   languages: by the rules of which language each is searched
    text/                       ─▶ index_build: only new or changed pages are read and handed to the engine
                                   index_processes: several of these at once, each for some shards
                                   crawl_index: opens what was made
                                   (`search/remote`: shards on other machines, searched there)

Invariants:
- What is in the index is compared with what shall be in it, and the difference is made up for. So it does not
  matter where a build was killed, and what has vanished leaves.
- All of it is of one moment, though the crawl may be running.
- Memory is bounded by the setting, for texts, anchor texts and what the engine makes of them; by some 100
  bytes and the URL of each page; and by what libraries and a few thousand rows of tables take.
"""

from gossamer.search.build.crawl_index import Index
from gossamer.search.build.index_build import IndexProgress, build_index
from gossamer.search.build.index_processes import build_in_processes
from gossamer.search.build.index_sharding import in_shards

__all__ = ["Index", "IndexProgress", "build_in_processes", "build_index", "in_shards"]
