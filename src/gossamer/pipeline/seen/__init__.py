"""Each URL released once.

In: candidates that passed the scope. Out: those never met before, in the order they came.
A URL is known by its 64-bit key, so a billion URLs mean a chance of about 3 % that one pair of them
shares a key; a crawl loses at most that page.

Most links of a page lead to URLs that were offered a moment ago; `Lately` lets the ring skip them.
"""

from gossamer.pipeline.seen.candidate_packing import pack, unpack
from gossamer.pipeline.seen.disk_seen import DiskSeen
from gossamer.pipeline.seen.recently_seen import Lately

__all__ = ["DiskSeen", "Lately", "pack", "unpack"]
