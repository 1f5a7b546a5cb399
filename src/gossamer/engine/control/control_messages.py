"""Messages of the control socket: one line of JSON for each request, and one for each answer."""

from typing import Any

import msgspec
from msgspec import Struct

from gossamer.engine.control.commands import Command


class AskState(Struct, frozen=True, tag="state"):
    """A question for the active commands and the state of the crawl."""


class AskHosts(Struct, frozen=True, tag="hosts"):
    """A question for the state of hosts: the named ones, or those with the most waiting URLs."""

    names: tuple[str, ...] = ()
    most: int = 20


class AskNext(Struct, frozen=True, tag="next"):
    """Which URLs come next, and why."""

    most: int = 20
    host: str = ""
    """Of this host only, if one is named."""


class AskEffect(Struct, frozen=True, tag="effect"):
    """A question for the number of waiting URLs that a command would set aside. It is not given."""

    command: Command


Question = AskState | AskHosts | AskNext | AskEffect


class ControlRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A command or a question."""

    command: Command | None = None
    question: Question | None = None
    origin: str = ""


class Reply(Struct, frozen=True):
    is_done: bool
    """Was it understood, and is it active?"""
    said: str = ""
    """For people, in one line."""
    number: int = 0
    """Of the order in the journal."""
    is_running: bool = True
    """Does the crawl run? If not, a command counts as soon as it is resumed."""
    undo: str = ""
    """The command that takes it back, in the words of `gossamer control`; empty when nothing does."""
    found: Any = None
    """What was asked for."""


encode = msgspec.json.Encoder().encode
decode_request = msgspec.json.Decoder(ControlRequest).decode
decode_reply = msgspec.json.Decoder(Reply).decode
