"""A place for all that is on record which outlives a machine.

    ring ─▶ commit ─▶ journal, archive, tables (local disk)
                          │ what is new since the last commit
                          ▼
                        crate ─▶ home (a folder, a bucket)
                          │
                          └─▶ another machine: the files as they were, and the crawl goes on

Files: `storage` (where a home is), `crate` (one commit, in one object), `manifest` (which bytes are where),
`tree` (what is new here), `shipper` (sends it), `restore` (brings it back), `diary` (log and timeline of the
whole crawl), `followed` and `look` (for those who look again and again), `partition_home`, `crawl_home`.
"""

from gossamer.cluster.home.crawl_home import CrawlHome
from gossamer.cluster.home.storage import HomeError, is_home

__all__ = ["CrawlHome", "HomeError", "is_home"]
