"""Remote storage: all that a crawl records, kept in a folder or a bucket.

    ring ─▶ commit ─▶ journal, archive, tables (local disk)
                          │ what is new since the last commit
                          ▼
                        commit bundle ─▶ remote storage (a folder, a bucket)
                          │
                          └─▶ another machine: the files as they were, and the crawl goes on

Files: `object_storage` (where remote storage is), `commit_bundle` (one commit, in one object),
`storage_manifest` (which bytes are where), `partition_files` (what is new here), `uploader` (sends it),
`restore` (brings it back), `background_downloads` (while others work already), `stored_log` (log and
timeline of the whole crawl), `partition_storage`, `crawl_storage`; for those who only read:
`reading_copy` (tables), `incremental_reading` and `storage_snapshot` (again and again).
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
