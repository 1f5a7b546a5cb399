"""Errors that a user can cause, as a tree.

GossamerError
├── SettingsError     a knob that does not exist or has a value that makes no sense
├── SeedError         a seed that is no URL, or no seed at all
└── DirectoryError    the crawl directory exists, is missing, is in use, or cannot be written
    ├── DamageError   a file in it does not hold what was once written to it
    └── DiskError     the disk is full or failed, and the crawl can go on once that is mended

Each message is one line: what, where, what to do. The command line prints it and exits with 1, or
with 3 after a `DiskError`.
What goes wrong on the web is no exception: it is an `Outcome` or a `Refusal`.
"""


class GossamerError(Exception):
    """The base of every error Gossamer raises on purpose.

    >>> issubclass(SeedError, GossamerError)
    True
    """


class SettingsError(GossamerError):
    """A setting that does not exist, or a value it cannot have.

    >>> import gossamer
    >>> gossamer.Crawl("https://example.org/", out="example", dealy=2)
    Traceback (most recent call last):
    gossamer.core.errors.SettingsError: there is no setting dealy; did you mean delay?
    """


class SeedError(GossamerError):
    """A seed that cannot be crawled.

    >>> import gossamer
    >>> gossamer.Crawl("mailto:someone@example.org", out="example")
    Traceback (most recent call last):
    gossamer.core.errors.SeedError: seed 'mailto:someone@example.org' is not an http or https URL; write e.g. https://example.org/
    """


class DirectoryError(GossamerError):
    """A crawl directory that cannot be used as asked.

    >>> import gossamer
    >>> gossamer.Crawl.resume("nowhere")
    Traceback (most recent call last):
    gossamer.core.errors.DirectoryError: nowhere holds no crawl; give the directory that was named with -o
    """


class DamageError(DirectoryError):
    """A file of a crawl directory does not hold what was once written to it.

    >>> raise DamageError("example/state/00000/checkpoint", "is damaged")
    Traceback (most recent call last):
    gossamer.core.errors.DamageError: example/state/00000/checkpoint is damaged; restore it from a copy of \
the crawl directory
    """

    def __init__(self, path: object, said: str) -> None:
        super().__init__(f"{path} {said}; restore it from a copy of the crawl directory")


class DiskError(DirectoryError):
    """The disk is full or failed; all that was done is safe, and the crawl can go on once that is mended."""
