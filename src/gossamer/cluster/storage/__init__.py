"""A place for all that is recorded which outlives a machine.

    ring ─▶ commit ─▶ journal, archive, tables (local disk)
                          │ what is new since the last commit
                          ▼
                        commit bundle ─▶ home (a folder, a bucket)
                          │
                          └─▶ another machine: the files as they were, and the crawl goes on

Files: `storage` (where remote storage is), `commit_bundle` (one commit, in one object), `manifest` (which
bytes are where), `tree` (what is new here), `shipper` (sends it), `restore` (brings it back), `arrivals`
(while others work already), `stored_log` (log and timeline of the whole crawl), `partition_storage`,
`crawl_storage`; for those who only read: `reading_copy` (tables), `followed` and `look` (again and again).
"""

from gossamer.cluster.storage.crawl_storage import CrawlStorage
from gossamer.cluster.storage.object_storage import RemoteStorageError, is_storage_url
from gossamer.cluster.storage.reading_copy import ReadingCopy, StorageArchive, send_ranks

__all__ = [
    "CrawlStorage",
    "ReadingCopy",
    "RemoteStorageError",
    "StorageArchive",
    "is_storage_url",
    "send_ranks",
]
