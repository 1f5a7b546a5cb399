"""Commands in words, and what is said of words that are none."""

import re

import pytest

from gossamer.core.errors import GossamerError
from gossamer.core.settings import Settings
from gossamer.engine.control.active_commands import ActiveCommands
from gossamer.engine.control.command_checks import check
from gossamer.engine.control.command_words import read_command
from gossamer.engine.control.commands import (
    AddSeeds,
    BlockUrls,
    Change,
    Command,
    DelayHost,
    GoOn,
    Pause,
    Prioritise,
    RevisitNow,
    Stop,
    UnblockUrls,
    say,
)

COMMANDS: dict[str, Command] = {
    "pause": Pause(),
    "go-on": GoOn(),
    "resume": GoOn(),
    "stop": Stop(),
    "seeds a.test http://b.test/x": AddSeeds(("a.test", "http://b.test/x")),
    "block Example.ORG": BlockUrls("example.org"),
    "block *.example.org": BlockUrls("*.example.org"),
    "block example.org/private/*": BlockUrls("example.org/private/*"),
    "unblock http://a.test": UnblockUrls("http://a.test/"),
    "delay a.test 2.5": DelayHost("a.test", 2.5),
    "delay a.test default": DelayHost("a.test"),
    "priority a.test 0": Prioritise("a.test", 0),
    "priority a.test/x* default": Prioritise("a.test/x*"),
    "revisit http://a.test/": RevisitNow(("http://a.test/",)),
    "set politeness.delay=2": Change("politeness.delay", 2),
    "set max_pages=100": Change("crawl.max_pages", 100),
    'set scope.exclude=["a", "b"]': Change("scope.exclude", ["a", "b"]),
}

MISTAKES = {
    "": "no command was given; known: pause, go-on",
    "puase": "there is no command 'puase'; did you mean pause?",
    "dance": "there is no command 'dance'; known: pause",
    "pause now": "pause takes no arguments; remove 'now'",
    "block": "block needs a host or a URL pattern; 0 words were given",
    "block a.test b.test": "block needs a host or a URL pattern; 2 words were given",
    "seeds": "seeds needs URLs, e.g.",
    "delay a.test": "delay needs a host and seconds",
    "delay a.test soon": "delay: 'soon' is not a number; write e.g. 2, or default",
    "delay a.test inf": "delay: 'inf' is not a number",
    "delay *.test 2": "'\\*.test' is not a host",
    "priority a.test 1.5": "priority: '1.5' is not a number",
    "set delay": "set: 'delay' has no value; write e.g. delay=2",
    "set politnes.delay=2": "there is no setting politnes; did you mean politeness?",
    "set politeness.dealy=2": "there is no setting politeness.dealy; did you mean politeness.delay?",
    "set politeness.delay=-1": "politeness.delay: -1 is not allowed; give a number from 0 to 2592000",
    "set order.name=opic": "order.name: the order of this crawl is .*; start another crawl",
    "set crawl.partitions=3": "crawl.partitions: .* cannot continue with 3; leave the number as it is",
    "set revisit.continuous=true": "revisit.continuous: .*; leave it as it is, or start another crawl",
    "set max_stored_pages=5": "store.max_stored_pages: .*; start another crawl with the limit",
    "set fetch.timeout=7": "fetch.timeout cannot be changed while a crawl runs; stop it, and change it with "
    "`gossamer resume DIR --set fetch.timeout=…`",
    'set scope.exclude=["("]': "scope.exclude: '\\(' is not a regular expression",
    "seeds mailto:a@b.test": "seed 'mailto:a@b.test' is not an http or https URL",
    "priority a.test 99": "priority: 99 is not a level; write 0 \\(the first\\) to 15",
    "priority a.test -1": "priority: -1 is not a level",
    "delay a.test -1": "delay: -1 is out of range",
    "delay a.test 999999999999": "delay: .* is out of range; write 0 to 2592000",
    "set politeness.delay=999999999999": "politeness.delay: 999999999999 is not allowed; "
    "give a number from 0 to 2592000",
    "unblock b.test": "b.test is not blocked; blocked: a.test",
}


def words_of(text: str) -> list[str]:
    name, _, rest = text.partition(" ")
    return [name, rest] if name == "set" and rest else text.split()


@pytest.mark.parametrize("text", COMMANDS)
def test_what_is_meant(text: str) -> None:
    command = read_command(words_of(text))
    assert command == COMMANDS[text]
    assert read_command(words_of(say(command))) == command, "what is said can be said again"


@pytest.mark.parametrize("text", MISTAKES)
def test_what_cannot_be_understood_is_one_clear_line(text: str) -> None:
    with pytest.raises(GossamerError, match=MISTAKES[text]) as raised:
        check(read_command(words_of(text)), Settings(), ActiveCommands(1, blocked={"a.test": 1}))
    is_refused_for_ever = re.search("started with|began|order of this crawl", str(raised.value))
    assert not (is_refused_for_ever and "gossamer resume" in str(raised.value))
    assert "\n" not in str(raised.value)
