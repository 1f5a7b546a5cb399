"""The fields of HTTP messages: each kind is read in one place, and every component reads it there.

`header_dates` knows the three spellings of a date, `lifetime` how long an answer may be used and how long a
server wants to be left alone, `media_types` what a Content-Type says, `codings` what was done to a body
on its way, `links` what Link fields name.
"""

from gossamer.core.http.codings import content_codings, is_chunked
from gossamer.core.http.header_dates import parse_date
from gossamer.core.http.lifetime import freshness, retry_after
from gossamer.core.http.links import links_in_fields
from gossamer.core.http.media_types import MediaType, read_media_type

__all__ = [
    "MediaType",
    "content_codings",
    "freshness",
    "is_chunked",
    "links_in_fields",
    "parse_date",
    "read_media_type",
    "retry_after",
]
