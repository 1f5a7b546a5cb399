"""One spelling, one owner, one number for every URL.

In comes whatever stands in a page, a sitemap, a header or a seed list. Out comes a `Url`: the one
canonical spelling (`text`), who is asked for it (`host`, `origin`, pay-level `domain`), and a
64-bit number to remember it by (`key`). What is no URL comes out as None, never as an exception.

Parsing and joining follow the WHATWG URL standard, as browsers do. On top of that, for http, https,
ftp, ws and wss, the canonical spelling has

- no fragment, no user name and password, no empty query (`?` with nothing behind it),
- no dot at the end of the host: `example.com.` and `example.com` are the same host,
- escapes in one form: those of letters, digits and `-._~` are decoded, the hexadecimal digits of
  all others are upper-case, and a `%` that begins no escape is `%25` (RFC 3986, 6.2.2). Characters
  that the standard leaves as they are (`|`, `[`, `'` …) stay so: a browser would send them so too,
- whatever the optional rules of the settings change, in the order they are named (`rules/`).

Of other schemes only the fragment, the credentials and an empty query are dropped: the
meaning of the rest is not known here.

Invariants: spelling a spelling changes nothing; joining never raises; equal text, equal key; each
link is parsed once. A host of more than 512 characters is refused, because finding the ASCII
form of an international name takes more than linear time, and DNS ends at 253.
"""

from gossamer.core.url.address import is_address
from gossamer.core.url.domain import pay_level_domain
from gossamer.core.url.owner import owner_of, spread
from gossamer.core.url.spelling import Base, Spelling, base, join, parse
from gossamer.core.url.url import Url

__all__ = [
    "Base",
    "Spelling",
    "Url",
    "base",
    "is_address",
    "join",
    "owner_of",
    "parse",
    "pay_level_domain",
    "spread",
]
