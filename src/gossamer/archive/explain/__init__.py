"""Explain a URL: everything that a crawl on disk knows of it.

    url_facts         the facts, line by line
    url_lookup        where it is looked up: by reading the tables through, as a command does once
    url_naming        who named a URL, and what became of that
    held_lookup       was it held back?
    redundancy_facts  what the crawl had found out about URLs of its kind

A command reads the tables through. The dashboard in the browser is asked again and again: it brings what
it has in memory (`KnownOfUrl`), and says the same.
"""

from gossamer.archive.explain.url_facts import Fact, explain_url
from gossamer.archive.explain.url_lookup import KnownOfUrl, KnownOnDisk

__all__ = ["Fact", "KnownOfUrl", "KnownOnDisk", "explain_url"]
