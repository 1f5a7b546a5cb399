"""Extract the text of an XML file, without tags."""

import re

from gossamer.pipeline.parse.document_text import resolve, squeeze
from gossamer.pipeline.parse.tag_patterns import TAG

_CDATA = re.compile(rb"<!\[CDATA\[((?s:.)*?)(?:\]\]>|\Z)")
_DECLARATION = re.compile(
    rb"<\?(?s:.)*?(?:\?>|\Z)"
    rb"|<!DOCTYPE[^>\[]*+(?:\[(?:[^\]\"']++|\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z))*+\]?+[^>]*+)?+>?+",
    re.IGNORECASE,
)


def text_of_xml(data: bytes) -> bytes:
    """The text of UTF-8 data, however broken; HTML in it, as feeds have it, is read as such.

    >>> text_of_xml(b"<?xml version='1.0'?><a><b>x &lt;i>y&lt;/i></b><![CDATA[<p>z]]></a>")
    b'x y z'
    """
    opened = _CDATA.sub(rb"\1", _DECLARATION.sub(b" ", data))
    shown = resolve(TAG.sub(b" ", opened).decode("utf-8", "replace"))
    if "<" in shown:  # HTML that was escaped once
        shown = resolve(TAG.sub(b" ", shown.encode("utf-8", "replace")).decode())
    return squeeze(shown)
