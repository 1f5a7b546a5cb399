"""Formats of data that programs read: what they say is shown to readers on other pages, as a rule."""

_TYPES = frozenset(
    {
        *("application/json", "application/ld+json", "application/x-ndjson", "application/ndjson"),
        *("application/json+oembed", "text/json", "text/x-json", "application/geo+json"),
        *("application/xml", "text/xml", "application/rss+xml", "application/atom+xml"),
        *("application/rdf+xml", "text/csv", "application/csv", "text/tab-separated-values"),
        *("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/calendar"),
        *("text/vcard", "text/turtle", "application/n-triples", "application/vnd.api+json"),
    }
)
_TEXT = frozenset({"", "text/plain", "application/octet-stream"})
"""Types that servers give for data, too; then the ending of the path says more."""
_ENDINGS = ("csv", "tsv", "json", "jsonl", "ndjson", "geojson", "xml", "rss", "atom", "ics", "yaml")


def is_data(media_type: str, url: str) -> bool:
    """Is an answer for programs, such as an export of what pages show?

    >>> is_data("text/csv", "http://a.test/tea"), is_data("text/plain", "http://a.test/tea.csv?all")
    (True, True)
    >>> is_data("text/html", "http://a.test/tea.json"), is_data("text/plain", "http://a.test/tea")
    (False, False)
    """
    if media_type in _TYPES:
        return True
    if media_type not in _TEXT:
        return False
    path = url.partition("?")[0].partition("#")[0]
    return path.rpartition("/")[2].lower().rpartition(".")[2] in _ENDINGS and "." in path[8:]
