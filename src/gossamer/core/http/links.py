"""Links in header fields (RFC 8288)."""

import re
from collections.abc import Iterator

_FIELD = re.compile(r"<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:\"[^\"]*\"|[^\s;,\"]*))?)*)")
_REL = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s;,\"]*))", re.IGNORECASE)


def links_in_fields(values: list[str]) -> Iterator[tuple[str, str]]:
    """The relations and addresses that `Link` fields name.

    >>> [*links_in_fields(['<a.css>; rel="preload style", <b>; title=x; rel=next', "c"])]
    [('preload', 'a.css'), ('style', 'a.css'), ('next', 'b')]
    """
    for href, parameters in (match for value in values for match in _FIELD.findall(value)):
        for quoted, bare in _REL.findall(parameters)[:1]:
            yield from ((rel, href) for rel in (quoted or bare).lower().split())
