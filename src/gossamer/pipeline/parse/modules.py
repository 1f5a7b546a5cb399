"""Find the modules that a script loads by name, in `import` and `export … from`."""

import json
import re
from collections.abc import Iterator

from gossamer.core.records import LinkKind

_ADDRESS = rb"(?:\.{0,2}/|https?://)[^\"'`\s\\<>$]{1,2048}"
"""What is not relative to the script and no URL is the name of a package, which only a server knows."""
_IMPORTED = re.compile(
    rb"(?<![^\s;{}(),])/\*(?s:.)*?(?:\*/|\Z)"  # a comment; `src/**` in a string is none
    rb"|^[\t ]*+//[^\n]*+"
    rb"|(?<![\w$.#@-])(?:import(?:[\t\n\r ]*+\()?+|from)[\t\n\r ]*+"
    rb"(?:/\*[^*]{0,256}+\*/[\t\n\r ]*+)?+([\"'`])(" + _ADDRESS + rb")\1",
    re.MULTILINE,
)
_FILE = re.compile(r"(?:\.{0,2}/|https?://)(?s:.){0,2047}[^/]")


def addresses_in_script(script: bytes) -> Iterator[tuple[LinkKind, str]]:
    """The addresses of modules that a script imports; `script` is UTF-8 and may be cut off anywhere.

    >>> list(addresses_in_script(b'import {a} from "./a.js"; import("/b.js"); import c from "lodash"'))
    [(<LinkKind.SCRIPT: 'script'>, './a.js'), (<LinkKind.SCRIPT: 'script'>, '/b.js')]
    """
    for match in _IMPORTED.finditer(script):
        if match[2]:
            yield LinkKind.SCRIPT, match[2].decode("utf-8", "replace")


def addresses_in_import_map(text: bytes) -> Iterator[tuple[LinkKind, str]]:
    """The addresses that an import map gives to names; those of folders stand for no file.

    >>> list(addresses_in_import_map(b'{"imports": {"vue": "/vue.js", "lib/": "/lib/"}}'))
    [(<LinkKind.SCRIPT: 'script'>, '/vue.js')]
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return
    imports = found.get("imports") if isinstance(found, dict) else None
    for address in imports.values() if isinstance(imports, dict) else ():
        if isinstance(address, str) and _FILE.fullmatch(address):
            yield LinkKind.SCRIPT, address
