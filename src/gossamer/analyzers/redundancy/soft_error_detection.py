"""Soft 404s: hosts that answer 200, or lead elsewhere, when there is no such page.

A host that gives one answer to several different URLs is under suspicion, and is asked once for a name that
cannot exist. If the answer is an error, the host is honest. Otherwise pages that look like the answer
are marked, from then on. (Bar-Yossef et al., "Sic transit gloria telae", 2004, ask for a name at random
beside every dead link; one question per host is kinder.)

Pages that parameters tell apart are a script's (`script_errors`): it is asked for another value, and the host
for another path.
"""

from collections.abc import Iterable

import xxhash
from msgspec import Struct

from gossamer.analyzers.redundancy.bounded_memory import Recent
from gossamer.analyzers.redundancy.script_errors import ScriptErrorDetector, ScriptState
from gossamer.core.records import Candidate, Compared, Via
from gossamer.core.settings import DetectSettings
from gossamer.core.text_words import METHOD
from gossamer.core.url import Spelling, Url

_MOST_ANSWERS = 32
"""Answers that are counted of a host."""
_FEW_NEW = 24
"""Pairs of new words that a page may have that is nearly the answer: more are a page's own."""


class SoftErrorState(Struct, frozen=True, array_like=True):
    """The answer of an origin to a URL that does not exist, at a checkpoint."""

    origin: str
    question: str
    """The name that cannot exist."""
    is_answered: bool = False
    masked: int = 0
    """What its answer says; 0 when it was an honest error."""
    target: str = ""
    """Where its answer leads to."""
    group: int = 0
    """The near-duplicates its answer belongs to."""


def still_good(states: Iterable[SoftErrorState], method: int) -> list[SoftErrorState]:
    """The states of hosts whose answers were read by the present method.

    Pages that are read in another way cannot be compared with such an answer: the host will be asked again.
    """
    return [state for state in states if method == METHOD or not state.masked]


class _Host:
    def __init__(self, state: SoftErrorState | None = None) -> None:
        self.answers: Recent[int, int] = Recent(_MOST_ANSWERS)
        self.state = state

    def count(self, answer: int) -> int:
        times = (self.answers.get(answer) or 0) + 1
        self.answers[answer] = times
        return times


class SoftErrorDetector:
    """Tells pages from answers that only look like pages."""

    def __init__(
        self,
        settings: DetectSettings,
        spelling: Spelling,
        states: Iterable[SoftErrorState] = (),
        scripts: Iterable[ScriptState] = (),
    ) -> None:
        self._settings = settings
        self._spelling = spelling
        self._scripts = ScriptErrorDetector(settings, spelling, scripts)
        self._hosts: Recent[str, _Host] = Recent(settings.hosts)
        self._questions: list[Candidate] = []
        for state in states:
            self._hosts[state.origin] = _Host(state)

    def judge(self, compared: Compared, masked: int) -> bool:
        """Is it no page, though it looks like one? Learns from it in any case."""
        visit = compared.document.page.visit
        if visit.via is Via.PROBE:
            self._take_answer(compared, masked)
            return False
        if _is_home(visit.url) or visit.via is Via.SEED:
            return False
        return self._judge_host(compared, masked) or self._scripts.judge(compared)

    def _judge_host(self, compared: Compared, masked: int) -> bool:
        visit = compared.document.page.visit
        host = self._host(visit.url.origin)
        answer = _answer_of(compared, masked)
        if not answer:
            return False
        if host.state is not None:
            return _matches(host.state, compared, masked)
        if "?" not in visit.url.text and host.count(answer) >= self._settings.same_answers:
            self._ask(host, visit.url, visit.depth)
        return False

    def questions(self) -> list[Candidate]:
        """The questions to hosts that came up since the last call."""
        found, self._questions = self._questions + self._scripts.questions, []
        self._scripts.questions = []
        return found

    def script_states(self) -> list[ScriptState]:
        return self._scripts.states()

    def states(self) -> list[SoftErrorState]:
        return [host.state for host in self._hosts.values() if host.state is not None]

    def _host(self, origin: str) -> _Host:
        host = self._hosts.get(origin)
        if host is None:
            host = self._hosts[origin] = _Host()
        return host

    def _ask(self, host: _Host, url: Url, depth: int) -> None:
        """Ask in the folder of the URL under suspicion, for a name with the same ending."""
        folder, _, name = url.text.rpartition("/")
        ending = f".{name.rpartition('.')[2]}" if "." in name else ""
        text = f"{folder}/{_impossible_name(url.origin)}{ending}"
        question = self._spelling.parse(text)
        host.state = SoftErrorState(url.origin, text)
        if question is not None:
            self._questions.append(Candidate(question, depth, Via.PROBE, url.text))

    def _take_answer(self, compared: Compared, masked: int) -> None:
        url = compared.document.page.visit.url
        if "?" in url.text:
            self._scripts.read_answer(compared)
        else:
            self._host(url.origin).state = self._read_answer(compared, masked)

    def _read_answer(self, compared: Compared, masked: int) -> SoftErrorState:
        page = compared.document.page
        origin = page.visit.url.origin
        if page.location:
            target = _target(compared)
            return SoftErrorState(origin, page.url, True, 0, target)
        if not 200 <= page.status < 300:
            return SoftErrorState(origin, page.url, True)
        group = compared.similar_to.group if compared.similar_to else page.visit.url.key
        return SoftErrorState(origin, page.url, True, masked, "", group)


def _impossible_name(origin: str) -> str:
    """Letters only, because numbers are not compared; a host is asked for the same name until its answer is
    read in another way."""
    number = xxhash.xxh3_64_intdigest(f"no such page at {origin}, {METHOD}".encode())
    return "".join(chr(ord("a") + (number >> shift & 15)) for shift in range(0, 64, 4))


def _is_home(url: Url) -> bool:
    return len(url.text) == len(url.origin) + 1


def _target(compared: Compared) -> str:
    """The target of a redirect, without a query that only repeats what was asked for."""
    page = compared.document.page
    name = page.url.rpartition("/")[2]
    address, _, query = page.location.partition("?")
    return address if name and name in query else page.location


def _answer_of(compared: Compared, masked: int) -> int:
    """A number for what was answered; 0 for what cannot be a soft error."""
    page = compared.document.page
    if page.location:
        return xxhash.xxh3_64_intdigest(_target(compared).encode("utf-8", "surrogatepass"))
    return masked if 200 <= page.status < 300 else 0


def _matches(state: SoftErrorState, compared: Compared, masked: int) -> bool:
    page = compared.document.page
    if page.location:
        return bool(state.target) and _target(compared) == state.target
    if not 200 <= page.status < 300:
        return False
    is_alike = compared.similar_to is not None and compared.similar_to.group == state.group
    is_near = is_alike and compared.new_words <= _FEW_NEW
    return bool(state.masked) and (masked == state.masked or is_near)


def describe(state: SoftErrorState) -> str:
    """One line about a host that does not say when there is no such page.

    >>> describe(SoftErrorState("http://a.test", "http://a.test/b/xyz", True, 0, "/"))
    'soft errors at http://a.test: a URL that does not exist leads to /; tested with http://a.test/b/xyz'
    """
    what = f"leads to {state.target}" if state.target else "is answered with a page of status 200"
    return f"soft errors at {state.origin}: a URL that does not exist {what}; tested with {state.question}"
