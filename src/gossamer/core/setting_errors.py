"""Says in words which values a setting may have, and what is wrong with one that it may not have.

Input: the annotation of a field of `Settings`. Values of settings that hold texts, such as logins, are
never repeated: a message may end in a log.
"""

from collections.abc import Callable
from typing import Any, Literal, get_args, get_origin


def describe_mistake(value: Any, hint: Any) -> str:
    """One refused value, and what to give instead.

    >>> from typing import Annotated
    >>> import msgspec
    >>> describe_mistake(-1, Annotated[float, msgspec.Meta(ge=0)])
    '-1 is not allowed; give a number, 0 or more'
    >>> print(describe_mistake("galaxy", Annotated[Literal["host", "all"], msgspec.Meta()]))
    'galaxy' is not allowed; choose "host" or "all"
    """
    kind = get_args(hint)[0]
    is_shown = kind in (bool, int, float) or get_origin(kind) is Literal
    what = repr(value) if is_shown and isinstance(value, bool | int | float | str) else "this value"
    verb = "choose" if get_origin(kind) is Literal else "give"
    return f"{what} is not allowed; {verb} {describe_values(hint)}"


def describe_values(hint: Any) -> str:
    """Describe the allowed values of a setting.

    >>> from typing import Annotated
    >>> import msgspec
    >>> describe_values(Annotated[int, msgspec.Meta(ge=0, le=255)])
    'a whole number from 0 to 255'
    >>> describe_values(Annotated[tuple[str, ...], msgspec.Meta()])
    'a list of texts, such as ["one", "two"]'
    """
    kind, *notes = get_args(hint)
    choices = _choices(kind)
    if get_origin(kind) is Literal:
        return " or ".join(choices)
    if choices:
        return f"a list of {' and '.join(choices)}"
    return _WORDS[get_origin(kind) or kind] + "".join(map(_describe_limits, notes))


def _choices(kind: Any) -> list[str]:
    """The texts that a Literal allows, or a tuple of them."""
    literal = kind if get_origin(kind) is Literal else next(iter(get_args(kind)), None)
    return [f'"{one}"' for one in get_args(literal)] if get_origin(literal) is Literal else []


_WORDS: dict[Callable[..., Any], str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text in quotes",
    tuple: 'a list of texts, such as ["one", "two"]',
    dict: 'a table of texts, such as {name = "text"}',
}


def _describe_limits(meta: Any) -> str:
    if meta.ge is not None and meta.le is not None:
        return f" from {meta.ge:.15g} to {meta.le:.15g}"
    limits = {
        "{:.15g} or more": meta.ge,
        "more than {:.15g}": meta.gt,
        "at most {:.15g}": meta.le,
        "less than {:.15g}": meta.lt,
    }
    said = " and ".join(words.format(limit) for words, limit in limits.items() if limit is not None)
    return f", {said}" if said else ""
