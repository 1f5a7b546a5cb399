"""Where the head ends and the body begins, whether or not there are tags that say so.

That matters for one thing: a `noscript` of the head ends with the first tag or word that has no place in
it, and one of the body lasts until its end tag.
"""

from gossamer.base.kernel import Numbers, inner_kernel
from gossamer.cycle.parse.reader.desk import HEAD, TRAITS
from gossamer.cycle.parse.reader.names import Trait, code_of
from gossamer.cycle.parse.reader.tokens import is_white

IN_HEAD, IN_NOSCRIPT, AFTER_HEAD, IN_BODY = range(4)

_HTML, _HEAD, _BODY, _BR = map(code_of, ("html", "head", "body", "br"))
FRAMESET = code_of("frameset")
NOSCRIPT = code_of("noscript")
_OF_HEAD, _OF_NOSCRIPT = int(Trait.OF_HEAD), int(Trait.OF_NOSCRIPT)


@inner_kernel
def start(desk: Numbers, code: int) -> None:
    """A start tag before the body has begun."""
    if code in (_HTML, _HEAD, FRAMESET):  # a frameset takes the body's place
        return
    traits = desk[TRAITS + code]
    if desk[HEAD] == IN_NOSCRIPT:
        if code == NOSCRIPT or traits & _OF_NOSCRIPT:
            return
        desk[HEAD] = IN_HEAD
    if code == NOSCRIPT and desk[HEAD] == IN_HEAD:
        desk[HEAD] = IN_NOSCRIPT
    elif not traits & _OF_HEAD:
        desk[HEAD] = IN_BODY


@inner_kernel
def end(desk: Numbers, code: int) -> None:
    """An end tag before the body has begun."""
    if desk[HEAD] == IN_NOSCRIPT:
        if code == NOSCRIPT:
            desk[HEAD] = IN_HEAD
        elif code == _BR:
            desk[HEAD] = IN_BODY
    elif code == _HEAD:
        desk[HEAD] = AFTER_HEAD
    elif code in (_HTML, _BODY, _BR):
        desk[HEAD] = IN_BODY


@inner_kernel
def look_for_text(data: Numbers, i: int, end: int, desk: Numbers) -> None:
    """Whatever is no white space begins the body."""
    while i < end and is_white(data[i]):
        i += 1
    if i < end and data[i] != 60:  # <
        desk[HEAD] = IN_BODY
