"""Text that can be written as UTF-8."""


def well_formed(text: str) -> str:
    r"""The same text with `?` for each lone surrogate, which UTF-8 has no bytes for.

    >>> well_formed("né \ud800")
    'né ?'
    """
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
