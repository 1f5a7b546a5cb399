"""`gossamer control`: give commands to a crawl, running or not, and ask it."""

import os
import pwd
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.core.errors import DirectoryError

if TYPE_CHECKING:
    from gossamer.engine.control.control_messages import Question


def send_command(
    directory: Annotated[Path, typer.Argument(help="The crawl directory.")],
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="ORDER...",
            help="pause, go-on, stop, seeds URL..., block WHAT, unblock WHAT, delay HOST SECONDS, "
            "priority WHAT LEVEL, revisit URL..., set section.name=value, undo [NUMBER]; or a question: "
            "state, hosts [HOST...], next [HOST]. WHAT is a host or a URL pattern with *.",
        ),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Show the effect of the command on waiting URLs; do not send it."
        ),
    ] = False,
) -> int:
    """Send a command to a crawl, such as pause, block or delay; it stays active, also after a "
    "kill, until undone."""
    import msgspec

    from gossamer.engine.control.typed_commands import send_command

    name, *rest = words
    if name.lower() == "state" and not rest:
        return _show_state(directory, json)
    if name.lower() in ("hosts", "next"):
        return _ask(directory, name.lower(), rest, json)
    if dry_run:
        return _foresee(directory, words, json)
    reply = send_command(directory, *words, origin=f"control, user {_user()}")
    back = f"; `gossamer control {directory} undo` takes it back" if reply.undo else ""
    print(msgspec.json.encode(reply).decode() if json else f"{reply.number}: {reply.said}{back}")
    return 0


def _foresee(directory: Path, words: list[str], json: bool) -> int:
    import msgspec

    from gossamer.engine.control.command_words import read_command
    from gossamer.engine.effects import foresee, say_effect

    order, effect = foresee(directory, read_command(words))
    said = {"said": say_effect(order, effect), **msgspec.structs.asdict(effect)}
    print(msgspec.json.encode(said).decode() if json else said["said"])
    return 0


def _user() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # in a container, say
        return str(os.getuid())


def _show_state(directory: Path, json: bool) -> int:
    import msgspec

    from gossamer.engine.control.control_state import look, say_state

    state = look(directory)
    print(msgspec.json.encode(state).decode() if json else say_state(state))
    return 0


# Questions.


def _ask(directory: Path, name: str, words: list[str], json: bool) -> int:
    import msgspec

    from gossamer.engine.control.control_client import ask

    reply = ask(directory, _question(name, words))
    if reply is None:
        raise DirectoryError(
            f"{directory} is not running; start it with `gossamer resume`, then ask again"
        )
    if json:
        print(msgspec.json.encode(reply.found).decode())
    else:
        show = _show_hosts if name == "hosts" else _show_next
        for line in show(reply.found or {}):
            print(line)
    return 0


def _question(name: str, words: list[str]) -> "Question":
    from gossamer.engine.control.command_patterns import read_host
    from gossamer.engine.control.control_messages import AskHosts, AskNext

    if name == "hosts":
        return AskHosts(tuple(map(read_host, words)))
    return AskNext(host=read_host(words[0]) if words else "")


def _show_hosts(found: dict[str, Any]) -> list[str]:
    return [
        f"{one['host']}: {'about ' * one['is_estimate']}{one['waiting']:,} waiting, "
        f"rests {one['rest_seconds']:.1f} s, delay {one['delay']:g} s ({one['rule']})"
        f"{', blocked' * one['is_blocked']}{_failures(one)}"
        for one in found.get("hosts", [])
    ] or ["no URL waits at any host"]


def _failures(host: dict[str, Any]) -> str:
    bad = [one for one in host["robots"] if not one["is_reachable"]]
    said = f", {host['failures']} failures in a row" if host["failures"] else ""
    return said + "".join(f", {one['origin']}/robots.txt fails: {one['trouble']}" for one in bad)


def _show_next(found: dict[str, Any]) -> list[str]:
    return [
        f"{one['level']:>3} {'in a front queue' if one['is_in_front'] else _time(one['ready'])} "
        f"{one['url']} ({one['why']})"
        for one in found.get("urls", [])
    ] or ["no URL waits"]


def _time(ready: float) -> str:
    return f"{datetime.fromtimestamp(ready, UTC):%H:%M:%S}" if ready else "now"
