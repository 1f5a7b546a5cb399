"""Delays of hosts: after an answer, after failures in a row, and as their budgets ask."""

from collections import Counter
from collections.abc import Sequence
from logging import WARNING

import msgspec
from msgspec.structs import replace

from gossamer.core.durable import Durable
from gossamer.core.log_events import LogEvent, log_event
from gossamer.core.protocols import Frontier
from gossamer.core.records import Page
from gossamer.core.settings import PolitenessSettings
from gossamer.pipeline.frontier import (
    DelayRule,
    HostDelay,
    Sequel,
    choose_delay,
    choose_sequel,
    is_failure,
)
from gossamer.pipeline.robots import Gate
from gossamer.policy.budget import Admission

_MOST_FAILURES = 500_000
_NOTEWORTHY = 5
"""Failures in a row after which the log names a host."""
_NEARLY_NOTHING = 1e-6
"""Seconds: a delay of 0 would say that not even a Crawl-delay counts."""

_encode = msgspec.msgpack.Encoder().encode
_decode_failures = msgspec.msgpack.Decoder(dict[str, int]).decode
_decode_host_delays = msgspec.msgpack.Decoder(dict[str, float]).decode


class HostDelays(Durable):
    """Says when a host may be asked again, and records that."""

    name = "rests"

    def __init__(
        self,
        settings: PolitenessSettings,
        frontier: Frontier,
        gate: Gate,
        admission: Admission,
        troubles: Counter[str],
        state: bytes = b"",
    ) -> None:
        self._settings = settings
        self._frontier = frontier
        self._gate = gate
        self._admission = admission
        self._troubles = troubles
        self._failures = Counter(read_failures(state))
        """Failed visits in a row, for hosts that have any: they are asked less and less often."""
        self._silent: set[str] = set()
        """Those of them that gave no answer at all to the last visit."""
        self.delays: dict[str, float] = {}
        """What orders say of single hosts, in seconds: in the place of `politeness.delay` and budgets."""
        self._ready_times: dict[str, float] = {}
        """Hosts that were told to rest since the last commit, and until when."""

    def change(self, settings: PolitenessSettings) -> None:
        """Go by other settings from now on."""
        self._settings = settings

    def _settings_of(self, host: str) -> PolitenessSettings:
        return settle(self._settings, self.delays.get(host))

    def delay_until(self, host: str, ready: float, now: float) -> None:
        """Leave a host in peace until then, for another reason than a visit."""
        self._frontier.free(host, self._delay_until(host, ready, now))

    def after_visit(self, page: Page, now: float) -> tuple[Sequel, float]:
        """The sequel of a visit, and the time when its host may be asked again."""
        host = page.visit.url.host
        if is_failure(page):
            self._note_failure(host, page)
        elif host in self._failures and page.status:
            self._silent.discard(host)
            self._forgive(host)
        crawl_delay = self._gate.delay(page.visit.url.origin)
        settings, failures = self._settings_of(host), self._failures.get(host, 0)
        sequel = choose_sequel(settings, page, failures, crawl_delay, now)
        if page.status or page.outcome.is_trouble:
            return sequel, self._delay_until(host, now + sequel.delay, now)
        return sequel, now

    def after_robots(self, page: Page, crawl_delay: float, now: float) -> float:
        """The time when the host of a robots.txt may be asked again."""
        host = page.visit.url.host
        delay = choose_sequel(self._settings_of(host), page, 1, crawl_delay, now).delay
        return self._delay_until(host, now + delay, now)

    @property
    def longest_budgeted(self) -> float:
        """The longest delay that budgets ask for."""
        return self._admission.longest_delay if self._settings.delay else 0.0

    def _delay_until(self, host: str, ready: float, now: float) -> float:
        """Note until when a host rests; the longest wait counts."""
        ready = max(ready, now + self.budgeted(host), self._ready_times.get(host, 0.0))
        self._ready_times[host] = ready
        return ready

    def delay_of(self, host: str, crawl_delay: float) -> HostDelay:
        """The delay after an answer that comes at once, and the rule for it."""
        ordered = self.delays.get(host)
        return choose_delay_between(self._settings, ordered, crawl_delay, self.budgeted(host))

    def failures(self, host: str) -> int:
        """Failed visits in a row."""
        return self._failures.get(host, 0)

    def is_silent(self, host: str) -> bool:
        """Is it on hold, and did it give no answer at all to the last visit?"""
        return host in self._silent and self._failures.get(host, 0) >= self._settings.hold_after

    def budgeted(self, host: str) -> float:
        """The delay that STAR asks for: the lower a domain's budget, the longer."""
        if not self._settings.delay or host in self.delays:
            return 0.0
        delays = self._admission.delays(host)
        return delays.host if delays is not None else 0.0

    def _forgive(self, host: str) -> None:
        if self._failures.pop(host) >= _NOTEWORTHY:
            log_event(LogEvent.HOST_ANSWERS, "%s answers again", host)

    def _note_failure(self, host: str, page: Page) -> None:
        if len(self._failures) >= _MOST_FAILURES:
            self._silent.clear()
            self._failures.clear()  # back-off begins again, which is better than no end to memory
        self._failures[host] += 1
        (self._silent.discard if page.status else self._silent.add)(host)
        what = str(page.status or page.outcome.value)
        self._troubles[what] += 1
        if is_noteworthy(self._failures[host]):
            said = "%s: %d visits in a row failed, the last one with %s"
            log_event(LogEvent.HOST_FAILS, said, host, self._failures[host], what, level=WARNING)

    # Recorded.

    def note(self) -> bytes:
        return _encode(self._ready_times) if self._ready_times else b""

    def noted(self) -> None:
        self._ready_times = {}

    def replay(self, notes: Sequence[bytes]) -> None:
        ready_times: dict[str, float] = {}
        for host, ready in (rest for note in notes for rest in _decode_host_delays(note).items()):
            ready_times[host] = max(ready, ready_times.get(host, 0.0))
        for host, ready in ready_times.items():
            self._frontier.free(host, ready)

    def checkpoint(self) -> bytes:
        return _encode(self._failures)


def read_failures(state: bytes) -> dict[str, int]:
    """Failed visits in a row by host, as a checkpoint has them."""
    return _decode_failures(state) if state else {}


def settle(settings: PolitenessSettings, ordered: float | None) -> PolitenessSettings:
    """An order may give a host a delay of its own. What robots.txt asks for counts all the same."""
    if ordered is None:
        return settings
    seconds = _NEARLY_NOTHING if not ordered and settings.delay else ordered
    return replace(settings, delay=seconds, ceiling=max(settings.ceiling, seconds))


def choose_delay_between(
    settings: PolitenessSettings, ordered: float | None, crawl_delay: float, budgeted: float
) -> HostDelay:
    """The delay after an answer that comes at once, with what was ordered for a host, and its budget.

    >>> choose_delay_between(PolitenessSettings(delay=1.0), None, crawl_delay=0.0, budgeted=40.0)
    HostDelay(seconds=40.0, rule=<DelayRule.BUDGET: 'budget'>)
    """
    delay = choose_delay(settle(settings, ordered), crawl_delay, 0.0)
    if budgeted > delay.seconds:
        return HostDelay(budgeted, DelayRule.BUDGET)
    is_ordered = ordered is not None and delay.rule is DelayRule.MINIMUM
    return HostDelay(delay.seconds, DelayRule.ORDERED) if is_ordered else delay


def is_noteworthy(failures: int) -> bool:
    """Is it time to say that a host fails? After a few failures in a row, and when they are ten times more.

    >>> [number for number in range(2000) if is_noteworthy(number)]
    [5, 50, 500]
    """
    while failures > _NOTEWORTHY and failures % 10 == 0:
        failures //= 10
    return failures == _NOTEWORTHY
