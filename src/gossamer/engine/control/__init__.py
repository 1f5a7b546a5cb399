"""Commands to a crawl while it runs, and questions about it.

    send_command, ask    control_client.py
      ─▶ socket          control_socket.py
      ─▶ handler         command_handler.py
      ─▶ journal         command_journal.py
      ─▶ active commands active_commands.py
      ─▶ every ring      engine/ring_commands.py

In: one line of JSON for each command or question. Out: one line for each answer.

A command (`commands.py`) is a frozen record; `command_words.py` reads it from the words that users type. The
command handler takes it, puts it into the journal in `state/control/`, with its number, its time and who
gave it, and only then answers. What is active is a pure fold over the journal. So a process that is killed
after an answer was given comes back to the same commands, and `command_history` lists them all.

The process that runs the crawl serves the socket, with the poller that it waits with anyway. A crawl that
does not run takes commands as well: then the client takes the lock of the directory and writes the
journal itself.

Invariants:
- a command is in the journal before its effect and its answer;
- to give what is active to a ring twice changes nothing;
- a client cannot hold up the crawl: nothing waits for it, and what it may send and leave unread is bounded.
"""

from gossamer.engine.control.active_commands import ActiveCommands
from gossamer.engine.control.command_journal import command_history
from gossamer.engine.control.command_words import read_command
from gossamer.engine.control.commands import Command, RecordedCommand
from gossamer.engine.control.control_client import ask, send_command

__all__ = [
    "ActiveCommands",
    "Command",
    "RecordedCommand",
    "ask",
    "command_history",
    "read_command",
    "send_command",
]
