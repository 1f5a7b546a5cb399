"""Soft 404s of scripts: `index.php?page=…` that answers 200 to whatever page it is asked for.

A script is under suspicion when several values of one parameter have the same answer, while others have pages
of their own. Then it is asked once for a value that cannot exist. Pages that say no other word than
its answer, and have no other links, are marked from then on: nothing is lost by them.

An answer that is a copy of a page elsewhere, such as the home page, is no error.
"""

from collections.abc import Iterable

import numpy as np
import xxhash
from msgspec import Struct

from gossamer.analyzers.redundancy.bounded_memory import Recent
from gossamer.analyzers.redundancy.script_answers import (
    Query,
    ScriptAnswer,
    ask_for,
    choose_parameter,
    read_answer,
    read_query,
)
from gossamer.core.records import Candidate, Compared, Via
from gossamer.core.settings import DetectSettings
from gossamer.core.url import Spelling, Url

_MOST_SCRIPTS = 1 << 12
_MOST_ANSWERS = 8
"""Answers of a script that are counted, and good pages of it that are remembered."""
_LEAST_GOOD = 3
"""Values of a parameter with pages of their own, for it to be one that chooses pages."""
_FIRST_READ, _LATER_READ_EVERY = 64, 8
_MOST_QUESTIONS = 4
"""Scripts of a host that are asked."""
_FEW_NEW = 24
"""Pairs of new words that a page may have that only repeats what it was asked for."""


class ScriptState(Struct, frozen=True, array_like=True):
    """The answer of a script to a value that does not exist, at a checkpoint."""

    script: str
    question: str
    is_answered: bool = False
    words: bytes = b""
    """Numbers of the words of its answer; none when it was honest …"""
    links: int = 0
    target: str = ""
    """… and where the answer leads to."""

    @property
    def is_honest(self) -> bool:
        return not (self.words or self.target)


class _Script:
    def __init__(self, state: ScriptState | None = None) -> None:
        self.good: Recent[str, Query] = Recent(_MOST_ANSWERS)
        self.answers: Recent[int, dict[str, Query]] = Recent(_MOST_ANSWERS)
        self.words: frozenset[int] = frozenset()
        self._poor = 0
        self.set_state(state)

    @property
    def reads_next(self) -> bool:
        """Is a page with hardly anything new to be looked at? Each of the first ones is, then few are.

        To read a page once more takes longer than all else that is judged here.
        """
        if len(self.good) < _LEAST_GOOD:
            return False
        self._poor += 1
        return self._poor <= _FIRST_READ or self._poor % _LATER_READ_EVERY == 0

    def set_state(self, state: ScriptState | None) -> None:
        self.state = state
        if state is not None:
            self.words = frozenset(np.frombuffer(state.words, np.uint32).tolist())

    def count(self, answer: int, url: str, query: Query) -> dict[str, Query]:
        """Note an answer; returns all that had it, lately."""
        found = self.answers.get(answer)
        if found is None:
            found = self.answers[answer] = {}
        found[url] = query
        return found


class ScriptErrorDetector:
    """Tells pages of scripts from answers that only look like pages."""

    def __init__(
        self, settings: DetectSettings, spelling: Spelling, states: Iterable[ScriptState] = ()
    ) -> None:
        self._settings = settings
        self._spelling = spelling
        self._scripts: Recent[str, _Script] = Recent(_MOST_SCRIPTS)
        self._asked: Recent[str, int] = Recent(settings.hosts)
        self.questions: list[Candidate] = []
        for state in states:
            self._scripts[state.script] = _Script(state)

    def judge(self, compared: Compared) -> bool:
        """Is it no page of its script, though it looks like one? Learns from it in any case."""
        page = compared.document.page
        url = page.visit.url
        if "?" not in url.text or not (page.location or 200 <= page.status < 300):
            return False
        query = read_query(url.text)
        if query is None:
            return False
        script = self._scripts.get(query.script)
        if script is None:
            script = self._scripts[query.script] = _Script()
        if compared.new_words > _FEW_NEW:
            script.good[url.text] = query
            return False
        if script.state is not None:
            return not script.state.is_honest and _matches(script, compared, query)
        if script.reads_next and (page.location or compared.document.text_utf8):
            self._count(script, _number(compared, query), url, query, page.visit.depth)
        return False

    def _count(self, script: _Script, number: int, url: Url, query: Query, depth: int) -> None:
        if not number:
            return
        same = script.count(number, url.text, query)
        if len(same) < self._settings.same_answers:
            return
        name = choose_parameter([*same.values()], script.good.values(), _LEAST_GOOD)
        asked = self._asked.get(url.origin) or 0
        if name and asked < _MOST_QUESTIONS:
            self._asked[url.origin] = asked + 1
            self._ask(script, query.script, url, name, depth)
        same.pop(next(iter(same)))

    def _ask(self, script: _Script, key: str, url: Url, name: str, depth: int) -> None:
        text = ask_for(url.text, name, xxhash.xxh3_64_intdigest(f"no such page of {key}".encode()))
        question = self._spelling.parse(text)
        script.set_state(ScriptState(key, text))
        if question is not None:
            self.questions.append(Candidate(question, depth, Via.PROBE, url.text))

    def read_answer(self, compared: Compared) -> None:
        """A script has answered."""
        page = compared.document.page
        query = read_query(page.visit.url.text)
        script = self._scripts.get(query.script) if query is not None else None
        if query is not None and script is not None:
            script.set_state(_state(compared, query))

    def states(self) -> list[ScriptState]:
        return [script.state for script in self._scripts.values() if script.state is not None]


def _state(compared: Compared, query: Query) -> ScriptState:
    page = compared.document.page
    honest = ScriptState(query.script, page.url, True)
    if page.location:
        return ScriptState(query.script, page.url, True, target=target_of(compared, query))
    answer = read_answer(compared, query)
    if not 200 <= page.status < 300 or not answer.print or _is_copy(compared, query):
        return honest
    words = np.array(sorted(answer.words - answer.repeated), np.uint32).tobytes()
    return ScriptState(query.script, page.url, True, words, answer.links)


def _number(compared: Compared, query: Query) -> int:
    """A number for what was answered; 0 when there are too few values."""
    target = target_of(compared, query)
    return (
        xxhash.xxh3_64_intdigest(target.encode()) if target else read_answer(compared, query).print
    )


def _is_copy(compared: Compared, query: Query) -> bool:
    """Is the answer the text of a page that the script has under another name?"""
    original = compared.duplicate_of or compared.same_text_as
    if original is None:
        return False
    other = read_query(original.url)
    return other is None or other.script != query.script


def _matches(script: _Script, compared: Compared, query: Query) -> bool:
    state = script.state
    assert state is not None, "it was asked"
    if compared.document.page.location or state.target:
        return bool(state.target) and target_of(compared, query) == state.target
    answer: ScriptAnswer = read_answer(compared, query)
    return bool(answer.words) and answer.says(script.words, state.links)


def target_of(compared: Compared, query: Query) -> str:
    """The target of a redirect, without a query that repeats what was asked for; empty for a page."""
    address, _, rest = compared.document.page.location.partition("?")
    is_repeated = any(value and value in rest for value in query.values.values())
    return address if is_repeated else compared.document.page.location


def describe(state: ScriptState) -> str:
    """One line about a script that does not say when there is no such page.

    >>> describe(ScriptState("http://a.test/?id", "http://a.test/?id=xyz", True, b"", 0, "/"))
    'soft errors of http://a.test/?id: a URL that does not exist leads to /; tested with http://a.test/?id=xyz'
    """
    what = f"leads to {state.target}" if state.target else "is answered with a page of status 200"
    return f"soft errors of {state.script}: a URL that does not exist {what}; tested with {state.question}"
