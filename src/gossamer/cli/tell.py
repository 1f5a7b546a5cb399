"""`gossamer tell`: give orders to a crawl, running or not."""

import os
import pwd
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gossamer.crawl.control.messages import Reply


def tell(
    directory: Annotated[Path, typer.Argument(help="The crawl directory.")],
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="ORDER...",
            help="pause, go-on, stop, seeds URL..., block HOST_OR_PATTERN, unblock HOST_OR_PATTERN, "
            "delay HOST SECONDS, priority HOST_OR_PATTERN LEVEL, revisit URL..., set section.name=value, "
            "or state.",
        ),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Tell a crawl what to do from now on; it stays in force when the crawl is killed and resumed."""
    import msgspec

    from gossamer.crawl.control.by_words import tell

    if [word.lower() for word in words] == ["state"]:
        return _show_state(directory, json)
    answer = tell(directory, *words, origin=f"tell, user {_user()}")
    print(msgspec.json.encode(answer).decode() if json else _say(answer))
    return 0


def _say(answer: "Reply") -> str:
    return f"{answer.number}: {answer.said}"


def _user() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # in a container, say
        return str(os.getuid())


def _show_state(directory: Path, json: bool) -> int:
    import msgspec

    from gossamer.crawl.control.state import look, say_state

    state = look(directory)
    print(msgspec.json.encode(state).decode() if json else say_state(state))
    return 0
