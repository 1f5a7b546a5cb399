"""The behaviours, one file per kind; importing a file enters its behaviours into the book."""

from importlib import import_module

KINDS = (
    "pace",
    "heads",
    "framing",
    "connections",
    "redirects",
    "encodings",
    "bodies",
    "robots",
    "tls",
)


def load() -> None:
    """Fill `BEHAVIOURS`."""
    for kind in KINDS:
        import_module(f"{__name__}.{kind}")
