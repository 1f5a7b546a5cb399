"""Links in style sheets."""

import re
from collections.abc import Callable

_ADDRESS = re.compile(
    r"(?P<url>url\(\s*+)(?:\"(?P<double>[^\"\n]*+)\"|'(?P<single>[^'\n]*+)'|(?P<bare>[^()\"'\s]++))(?P<end>\s*+\))"
    r"|(?P<import>@import\s++)(?:\"(?P<double2>[^\"\n]*+)\"|'(?P<single2>[^'\n]*+)')",
    re.IGNORECASE,
)
_UNQUOTED = re.compile(r"[\"'()\\\s]")

Rewrite = Callable[[str], str]


def rewrite_sheet(sheet: str, rewrite: Rewrite) -> str:
    """The sheet with other addresses.

    >>> rewrite_sheet("@import 'a.css'; b { c: url( d.png ) }", str.upper)
    '@import "A.CSS"; b { c: url( "D.PNG" ) }'
    """

    def replace(found: re.Match[str]) -> str:
        part = found.groupdict()
        names = ("double", "single", "bare", "double2", "single2")
        href = next(part[name] for name in names if part[name] is not None)
        if href.startswith("data:"):
            return found[0]
        quoted = '"' + _UNQUOTED.sub(lambda sign: f"%{ord(sign[0]):02X}", rewrite(href)) + '"'
        if part["import"]:
            return part["import"] + quoted
        return part["url"] + quoted + part["end"]

    return _ADDRESS.sub(replace, sheet)
