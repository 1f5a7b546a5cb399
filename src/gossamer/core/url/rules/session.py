"""Session identifiers: each visitor gets URLs of their own for the same pages."""

import re

from gossamer.core.url.rules.parameters import drop_parameters

_ANY_VALUE = re.compile(
    "jsessionid|phpsessid|aspsessionid[a-z]*|oscsid|zenid|cfid|cftoken"
).fullmatch
"""Names that mean nothing else."""

_RANDOM_VALUE = re.compile("s|sid|psid|sess|sess_?id|session|session_?id").fullmatch
"""Names that may mean something else (a search, a story), unless the value looks like no word."""

_is_random = re.compile(
    "[0-9a-f]{16,}|[0-9A-F]{16,}|(?=[0-9]*[A-Za-z])(?=[A-Za-z]*[0-9])[0-9A-Za-z]{20,}"
).fullmatch

_PATH_PARAMETER = re.compile(
    # Without its session id, `/..;jsessionid=1` would be a step up: it stays.
    r"(?<!/\.)(?<!/\.\.);(?:jsessionid|phpsessid|sessionid|sid)=[^/;]*",
    re.IGNORECASE,
)

_ASP_NET_FOLDER = re.compile(r"/\((?:[A-Z]\([0-9a-z_-]{20,}\)){1,9}\)(?=/)", re.IGNORECASE)
"""ASP.NET without cookies: `/(S(lit3py55t21z5v55vlm25s55))/page.aspx`."""


def drop_session(path: str, query: str) -> tuple[str, str]:
    """Leave out session ids, in path parameters, folders and the query.

    >>> drop_session("/a;jsessionid=1f/b", "PHPSESSID=7&sid=3&s=0123456789abcdef")
    ('/a/b', 'sid=3')
    """
    if ";" in path:
        path = _PATH_PARAMETER.sub("", path)
    if "(" in path:
        path = _ASP_NET_FOLDER.sub("", path)
    return path, drop_parameters(query, _is_session) if query else query


def _is_session(name: str, value: str) -> bool:
    if _ANY_VALUE(name):
        return bool(value)
    return bool(_RANDOM_VALUE(name) and _is_random(value))
