"""One bounded exchange: a visit goes in, a page comes out.

In: a `Visit` and the addresses its host resolved to. Out: exactly one `Page` for each, with a
response or a named failure, in the order the exchanges ended.

`fetcher` runs hundreds of `transfer`s on libcurl's multi interface in one thread; nothing here
blocks. Redirects are not followed: they are pages too, and the ring decides. `address_guard` refuses
addresses of private networks when the socket is opened, that is after every resolution and
whatever spelling the host had. `decode` undoes chunking and compression, within limits; the
payload as sent is kept beside it for the archive.

A crawl may have other backends beside libcurl: directories that stand for hosts, other schemes. The
`router` then gives each visit to the one that wants it; `backend` says what a backend is, and lists them.

Invariants: a transfer ends within its time limit, holds at most `max_body` bytes of payload,
and the body is at most `max_decoded` bytes.
"""

from gossamer.pipeline.fetch.fetcher import Fetcher, FetcherStatistics
from gossamer.pipeline.fetch.libcurl_request import write_conditions
from gossamer.pipeline.fetch.router import Router, open_fetcher

__all__ = ["Fetcher", "FetcherStatistics", "Router", "open_fetcher", "write_conditions"]
