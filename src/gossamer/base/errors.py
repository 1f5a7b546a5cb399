"""What can go wrong through the user's doing, drawn as a tree.

GossamerError
├── SettingsError     a knob that does not exist or has a value that makes no sense
├── SeedError         a seed that is no URL, or no seed at all
└── DirectoryError    the crawl directory exists, is missing, is in use, or cannot be written

Each message is one line: what, where, what to do. The command line prints it and exits with 1.
What goes wrong on the web is no exception: it is an `Outcome` or a `Refusal`.
"""


class GossamerError(Exception):
    """The base of every error Gossamer raises on purpose."""


class SettingsError(GossamerError):
    """A setting that does not exist, or a value it cannot have."""


class SeedError(GossamerError):
    """A seed that cannot be crawled."""


class DirectoryError(GossamerError):
    """A crawl directory that cannot be used as asked."""
