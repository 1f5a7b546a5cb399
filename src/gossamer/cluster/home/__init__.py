"""A place for all that is on record which outlives a machine.

    ring ─▶ commit ─▶ journal, archive, tables (local disk)
                          │ what is new since the last commit
                          ▼
                        crate ─▶ home (a folder, a bucket)
                          │
                          └─▶ another machine: the files as they were, and the crawl goes on

Files: `storage` (where a home is), `crate` (one commit, in one object), `manifest` (which bytes are where),
`tree` (what is new here), `shipper` (sends it), `restore` (brings it back), `arrivals` (while others work
already), `diary` (log and timeline of the whole crawl), `partition_home`, `crawl_home`; for those who only
read: `reading_copy` (tables), `followed` and `look` (again and again).
"""

from gossamer.cluster.home.crawl_home import CrawlHome
from gossamer.cluster.home.reading_copy import HomeArchive, ReadingCopy, send_ranks
from gossamer.cluster.home.storage import HomeError, is_home

__all__ = ["CrawlHome", "HomeArchive", "HomeError", "ReadingCopy", "is_home", "send_ranks"]
