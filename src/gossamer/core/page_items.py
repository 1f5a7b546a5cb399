"""Items: what a parser of a program has found on a page, besides its text and its links.

A parser gives dicts, msgspec structs or dataclasses. They become plain dicts at once, so that an item that
cannot be stored is a mistake of its parser, at its page, and not one of the store.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

_MOST_BYTES = 16 << 20
"""Of all items of a page, as JSON."""

_encode = msgspec.json.Encoder().encode


def plain_items(items: Any) -> tuple[dict[str, Any], ...]:
    """Items as dicts with names of columns; `TypeError` or `ValueError` says what is wrong with them.

    >>> plain_items([{"price": 3}])
    ({'price': 3},)
    >>> plain_items(["cheap"])
    Traceback (most recent call last):
    TypeError: an item must be a dict, a msgspec.Struct or a dataclass, not str
    """
    if not isinstance(items, (tuple, list)):
        raise TypeError(f"items is {type(items).__name__}, not a tuple")
    plain = tuple(_plain(item) for item in items)
    if plain and (size := len(_encode(plain))) > _MOST_BYTES:
        raise ValueError(f"its items have {size} bytes; at most {_MOST_BYTES} are allowed")
    return plain


def _plain(item: Any) -> dict[str, Any]:
    try:
        plain = msgspec.to_builtins(item, str_keys=True)
        again = msgspec.json.decode(_encode(plain))  # what it will be when it is read
    except UnicodeEncodeError:
        raise ValueError("an item has text with lone surrogates") from None
    if not isinstance(again, Mapping):
        raise TypeError(
            f"an item must be a dict, a msgspec.Struct or a dataclass, not {type(item).__name__}"
        )
    return dict(again)


def encode_item(item: Mapping[str, Any]) -> str:
    """An item as it is stored."""
    return _encode(item).decode()
