"""A crawl as files that a browser opens without a server.

In comes a stored crawl. Out comes a folder: the latest version of each page that is not gone, and what pages
need, each under a name that any file system takes.

    mirror_files    which file a URL becomes
    mirror_links    what a link becomes: a relative path, or an absolute URL when its page was not fetched
    start_tags      tags of a page, found in one pass
    mirror_markup   links in HTML and style sheets
    offline_mirror  goes through the crawl, writes the files, and a page to begin with

Invariants:
- No name of a crawled site leads out of the folder, and no two URLs share a file, also where case is not told
  apart.
- Nothing but links is changed, and what is put in is escaped.
- Work and output are bounded by the size of a page, whatever it is made of.
- The folder appears when it is complete.
"""

from gossamer.export.mirror.offline_mirror import write_mirror

__all__ = ["write_mirror"]
