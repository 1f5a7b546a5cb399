"""Parameters in one order."""


def order_query(path: str, query: str) -> tuple[str, str]:
    """Sort the parameters by name; those of the same name keep their order, which may matter.

    >>> order_query("/", "b=2&a=2&a=1")
    ('/', 'a=2&a=1&b=2')
    """
    if "&" not in query:
        return path, query
    return path, "&".join(sorted(query.split("&"), key=_name))


def _name(pair: str) -> str:
    return pair.partition("=")[0]
