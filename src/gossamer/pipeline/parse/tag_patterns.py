"""The grammar of HTML's tags as regular expressions, in linear time, for what is read without a tree.

They follow the tokenizer of the HTML standard (section 13.2.5): what ends a tag's name, an attribute's
name and a value, quoted or not. Quantifiers are possessive, so no input makes them try again.
"""

import re

_WS = r"[\t\n\f\r ]"
_NAME = r"[^\t\n\f\r />][^\t\n\f\r />=]*+"


def _attribute(group: str) -> str:
    """An attribute, with its name and its value in groups that begin so."""
    values = rf"\"{group}[^\"]*+)(?:\"|\Z)|'{group}[^']*+)(?:'|\Z)|{group}[^\t\n\f\r >]*+)"
    return rf"{group}{_NAME})(?:{_WS}*+={_WS}*+(?:{values}))?+"


ATTRIBUTE, ATTRIBUTE_IN_TEXT = re.compile(_attribute("(").encode()), re.compile(_attribute("("))
"""One attribute, in bytes and in text: its name, and its value in one of three groups."""

_ATTRIBUTE = _attribute("(?:").encode()
_TAIL = rb"(?:[\t\n\f\r /]++|" + _ATTRIBUTE + rb")*+"

_TAG = (
    rb"<(?:"
    rb"([A-Za-z][^\t\n\f\r />]*+)(" + _TAIL + rb")>?+"  # 1, 2: start tag and its attributes
    rb"|/([A-Za-z][^\t\n\f\r />]*+)" + _TAIL + rb">?+"  # 3: end tag
    rb"|!---?>|!--(?s:.)*?(?:--!?>|\Z)"  # a comment, which may be empty or never end
    rb"|[!?/][^>]*+>?+"  # a doctype or nonsense
    rb")"
)
TAG, TAG_IN_TEXT = re.compile(_TAG), re.compile(_TAG.decode())
"""One token that begins with `<`, in bytes and in text; what lies between two of them is text."""

ATTRIBUTES = re.compile(
    rb"<[A-Za-z][^\t\n\f\r />]*+(?:[\t\n\f\r /]*+" + _ATTRIBUTE + rb"){0,1023}+"
    rb"(?:[\t\n\f\r /]*+(" + _ATTRIBUTE + rb"))?+[\t\n\f\r /]*+"
)
"""A tag as far as its 1,024th attribute, which is the group: more than any author wrote."""

FORMATTING = frozenset(b"b big code em font i s small strike strong tt u".split())
"""Elements that are opened again after a block that was closed around them."""
_FORMATTING = b"|".join(sorted(FORMATTING))
_TAIL_WITHOUT_TAGS = rb"[^<>\"']*+(?:(?:\"[^\"<]*+\"|'[^'<]*+')[^<>\"']*+)*+"
FORMATTING_TAG = re.compile(
    rb"<(" + _FORMATTING + rb")[\t\n\f\r /]"
    rb"(?:" + _TAIL_WITHOUT_TAGS + rb"(?=>[^<]*+"
    rb"(?:<(span|em|strong|code|b|i)(?:[\t\n\f\r ][^<>]*+)?+>[^<]*+</\2>[^<]*+)*+</\1>)"
    rb"|(" + _TAIL + rb"))",  # 3
    re.IGNORECASE,
)
"""A start tag with attributes; these are a group if the tree builder opens it again where it was not closed.

Those that hold nothing but text and elements of only text are not: `<code class=x>y</code>`. Nothing
stands between the two that could keep the second from closing the first: no comment, no script. They have
no `<` in their attributes, so that no tag is read twice, nor hidden in another."""

LINK_TAG = re.compile(rb"<(?:a|nobr)[\t\n\f\r /]" + _TAIL, re.IGNORECASE)
"""The same, but an open one is closed by the next."""
