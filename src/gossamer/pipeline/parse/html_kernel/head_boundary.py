"""Find the end of the head and the beginning of the body, with or without tags for them.

That matters for one thing: a `noscript` of the head ends with the first tag or word that has no place in
it, and one of the body lasts until its end tag.
"""

from gossamer.core.kernel import Numbers, inner_kernel
from gossamer.pipeline.parse.html_kernel.kernel_names import Trait, code_of
from gossamer.pipeline.parse.html_kernel.kernel_workspace import HEAD, TRAITS
from gossamer.pipeline.parse.html_kernel.tokens import is_white

IN_HEAD, IN_NOSCRIPT, AFTER_HEAD, IN_BODY = range(4)

_HTML, _HEAD, _BODY, _BR = map(code_of, ("html", "head", "body", "br"))
FRAMESET = code_of("frameset")
NOSCRIPT = code_of("noscript")
_OF_HEAD, _OF_NOSCRIPT = int(Trait.OF_HEAD), int(Trait.OF_NOSCRIPT)


@inner_kernel
def start(workspace: Numbers, code: int) -> None:
    """A start tag before the body has begun."""
    if code in (_HTML, _HEAD, FRAMESET):  # a frameset takes the body's place
        return
    traits = workspace[TRAITS + code]
    if workspace[HEAD] == IN_NOSCRIPT:
        if code == NOSCRIPT or traits & _OF_NOSCRIPT:
            return
        workspace[HEAD] = IN_HEAD
    if code == NOSCRIPT and workspace[HEAD] == IN_HEAD:
        workspace[HEAD] = IN_NOSCRIPT
    elif not traits & _OF_HEAD:
        workspace[HEAD] = IN_BODY


@inner_kernel
def end(workspace: Numbers, code: int) -> None:
    """An end tag before the body has begun."""
    if workspace[HEAD] == IN_NOSCRIPT:
        if code == NOSCRIPT:
            workspace[HEAD] = IN_HEAD
        elif code == _BR:
            workspace[HEAD] = IN_BODY
    elif code == _HEAD:
        workspace[HEAD] = AFTER_HEAD
    elif code in (_HTML, _BODY, _BR):
        workspace[HEAD] = IN_BODY


@inner_kernel
def look_for_text(data: Numbers, i: int, end: int, workspace: Numbers) -> None:
    """Begin the body at anything that is not white space."""
    while i < end and is_white(data[i]):
        i += 1
    if i < end and data[i] != 60:  # <
        workspace[HEAD] = IN_BODY
