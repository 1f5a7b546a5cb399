"""Leaving parameters out of a query."""

from collections.abc import Callable


def drop_parameters(query: str, is_unwanted: Callable[[str, str], bool]) -> str:
    """The query without the parameters whose lower-cased name and value are unwanted.

    >>> drop_parameters("A=1&b=2&c", lambda name, value: name == "a")
    'b=2&c'
    """
    pairs = query.split("&")
    kept = [pair for pair in pairs if not _judge(pair, is_unwanted)]
    return query if len(kept) == len(pairs) else "&".join(kept)


def _judge(pair: str, is_unwanted: Callable[[str, str], bool]) -> bool:
    name, _, value = pair.partition("=")
    return is_unwanted(name.lower(), value)
