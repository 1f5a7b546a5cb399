"""The health of a crawl in one word, with the cause and the remedy.

In: a snapshot of figures. Out: a verdict. Pure: no clock, no files. Every place that says how a crawl is
doing (dashboard, API, metrics, `gossamer status`) says this.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from gossamer.core.quantities import write_duration
from gossamer.engine.endings import ENDINGS
from gossamer.engine.summary import Summary

_SILENT = 180.0
"""Seconds: a crawl that works writes its status about once a minute, even when it can do nothing."""
_IDLE = 120.0
"""Seconds without a page after which a crawl that could fetch some is stuck."""
_PAUSE = 5.0
"""Seconds: a shorter wait is the usual rest between two requests."""
_SLOWED = 0.33
"""The part of the usual speed below which a crawl is slowing …"""
_FAST = 1.0
"""… if that was this many pages a second."""
_HOSTS, _HOST_SHARE = 200, 0.9
"""A trap by hosts: of this many, this part belongs together …"""
_WAITING, _WAITING_SHARE = 1_000, 0.5
"""… and so does this part of this many waiting URLs."""
_GROWN, _PAGE_SHARE = 10_000, 0.9
"""A trap by growth: this many URLs wait, and more, while this part of new pages belongs together."""
_RECENT = 200
"""Pages from which that can be told."""
_OVERLOADED = 1_000
"""URLs that wait in one partition while another has none."""
_UNEVEN = 4.0
"""A partition is overloaded when it has this many times the URLs of a usual one."""


class CrawlState(StrEnum):
    """In the order of the list in the documentation."""

    HEALTHY = "healthy"
    PAUSED = "paused"
    WAITING = "waiting"
    SLOWING = "slowing"
    TRAPPED = "trapped"
    STUCK = "stuck"
    ENDED = "ended"
    CONNECTION_LOST = "connection_lost"

    @property
    def words(self) -> str:
        return self.value.replace("_", " ")


class HostFamily(Struct, frozen=True):
    """Hosts that belong together: of one pay-level domain, or at one address."""

    name: str
    is_address: bool = False
    host_share: float = 0.0
    """Of all hosts that have URLs."""
    waiting_share: float = 0.0
    """Of the URLs that wait at hosts."""
    page_share: float = 0.0
    """Of the pages that came last."""
    is_wanted: bool = False
    """Was it named by the seeds of a crawl that stays with them, or by `scope.include`?"""
    is_blocked: bool = False
    """By a command: what is left of it in the frontier is set aside in its turn."""


class PartitionLoad(Struct, frozen=True):
    number: int
    waiting: int
    in_flight: int


class CrawlSnapshot(Struct, frozen=True):
    """The figures behind a verdict: one crawl at one moment."""

    time: float
    """When it was taken, in seconds since 1970."""
    summary: Summary
    is_running: bool
    is_paused: bool = False
    silent_seconds: float = 0.0
    """Since the crawl last wrote its status."""
    idle_seconds: float = 0.0
    """Since the last page, as far as it was watched."""
    pages_per_second: float = 0.0
    """In the last seconds; 0 when it is paused or does not run."""
    bytes_per_second: float = 0.0
    usual_pages_per_second: float = 0.0
    """Before that; 0 when it is not known."""
    growth_per_second: float | None = None
    """URLs by which the queue grew in the last minutes, for each second; below 0 it shrinks. None when that
    is not known."""
    hosts: int = 0
    """Known in the checkpoint from which families were counted …"""
    urls_at_hosts: int = 0
    """… and the URLs that waited at them; others wait in front queues, or over their budget."""
    recent_pages: int = 0
    """The pages that came last, of which those of families were counted …"""
    recent_hosts: int = 0
    """… and their hosts at public addresses."""
    families: tuple[HostFamily, ...] = ()
    """The largest."""
    partitions: tuple[PartitionLoad, ...] = ()
    max_pages: int = 0
    max_seconds: float = 0.0
    """Limits; 0: none."""
    last_level: int = 15
    """Of the frontier: what waits there is visited last."""
    trouble: str = ""
    """Why the crawl cannot be read, if it is elsewhere."""

    @property
    def wait_seconds(self) -> float:
        """Until the next request, as the crawl last said, less the time since then."""
        return max(0.0, self.summary.wait_seconds - self.silent_seconds)

    @property
    def is_growing(self) -> bool:
        """Does the queue grow by more than pages come?"""
        return (self.growth_per_second or 0.0) > max(0.0, 0.5 * self.pages_per_second)

    @property
    def seconds_to_limit(self) -> float | None:
        """Until a limit is reached at the present speed; None when there is none, or it cannot be known."""
        ends = []
        if self.max_pages and self.pages_per_second:
            left = self.max_pages - self.summary.pages + self.summary.requisites
            ends.append(left / self.pages_per_second)
        if self.max_seconds:
            ends.append(self.max_seconds - self.summary.seconds)
        return max(0.0, min(ends)) if ends and self.is_running else None

    @property
    def seconds_of_waiting(self) -> float | None:
        """To visit all that waits, as fast as the queue shrinks; None when it does not."""
        growth = self.growth_per_second or 0.0
        is_known = self.is_running and not self.is_paused and growth < 0
        return self.summary.waiting / -growth if is_known else None


class Remedy(Struct, frozen=True):
    """A command that may help, for a button."""

    label: str
    order: str
    what: str = ""
    value: str = ""
    confirm: str = ""
    """What to ask before; empty: nothing."""


class CrawlVerdict(Struct, frozen=True):
    """The state of a crawl: one word, the cause and the remedy."""

    state: CrawlState
    cause: str
    """One sentence."""
    advice: str = ""
    """What to do, in one sentence; empty when nothing has to be done."""
    alarms: tuple[str, ...] = ()
    """What is wrong beside that, or in more detail; each a sentence."""
    remedies: tuple[Remedy, ...] = ()
    time: float = 0.0
    """Of the snapshot, in seconds since 1970."""

    @property
    def tone(self) -> str:
        """good, calm, warning or bad: how loud it is to be said."""
        if self.state in _TONES:
            return _TONES[self.state]
        return "warning" if self.alarms else "good"


_TONES = {
    CrawlState.PAUSED: "calm",
    CrawlState.WAITING: "calm",
    CrawlState.ENDED: "calm",
    CrawlState.SLOWING: "warning",
    CrawlState.TRAPPED: "warning",
    CrawlState.STUCK: "bad",
    CrawlState.CONNECTION_LOST: "bad",
}


def judge(snapshot: CrawlSnapshot) -> CrawlVerdict:
    """The verdict: the first of these that is true."""
    found = (
        _judge_end(snapshot)
        or _judge_silence(snapshot)
        or _judge_pause(snapshot)
        or _judge_trap(snapshot)
        or _judge_idleness(snapshot)
        or _judge_speed(snapshot)
        or CrawlVerdict(CrawlState.HEALTHY, _say_pace(snapshot))
    )
    alarms = (*found.alarms, *_name_imbalance(snapshot))
    return CrawlVerdict(
        *(found.state, found.cause, found.advice, alarms, found.remedies, snapshot.time)
    )


# The end.


def _judge_end(snapshot: CrawlSnapshot) -> CrawlVerdict | None:
    summary = snapshot.summary
    if snapshot.trouble:
        return CrawlVerdict(
            CrawlState.CONNECTION_LOST,
            f"The crawl cannot be read: {snapshot.trouble}.",
            "The last known state is shown; reading it is tried again.",
        )
    if not snapshot.is_running:
        return _judge_ended(summary)
    if summary.stopped_by:
        why = ENDINGS.get(summary.stopped_by, summary.stopped_by)
        return CrawlVerdict(CrawlState.ENDED, f"The crawl is ending: {why}.")
    return None


def _judge_ended(summary: Summary) -> CrawlVerdict:
    reason = summary.stopped_by
    if not reason:
        return CrawlVerdict(
            CrawlState.ENDED, "The crawl has not begun.", f"Run `{_resume(summary)}`."
        )
    why, advice, resume = ENDINGS.get(reason, reason), "", f"`{_resume(summary)}`"
    if reason == "blocked":
        why = f"{summary.blocked:,} URLs are blocked, and no others are left"
        advice = f"Unblock what you want, then run {resume}."
    elif reason == "max_pages":
        advice = f"Raise crawl.max_pages, then run {resume}."
    elif reason == "max_time":
        advice = f"Raise crawl.max_seconds, then run {resume}."
    elif reason in ("failed", "disk_error", "max_errors"):
        advice = f"See the log; when the cause is removed, run {resume}."
    elif reason == "on_hold":
        advice = f"{resume} tries them again."
    elif summary.waiting or summary.scheduled or reason in ("killed", "copied"):
        advice = f"Run {resume} to continue."
    left = f"; {summary.waiting:,} URLs wait" if summary.waiting else ""
    return CrawlVerdict(CrawlState.ENDED, f"The crawl ended: {why}{left}.", advice)


def _resume(summary: Summary) -> str:
    return f"gossamer resume {summary.directory}".rstrip()


# While it runs.


def _judge_silence(snapshot: CrawlSnapshot) -> CrawlVerdict | None:
    if snapshot.silent_seconds <= _SILENT:
        return None
    return CrawlVerdict(
        CrawlState.STUCK,
        f"The crawl has written no status for {write_duration(snapshot.silent_seconds)}: its process "
        "hangs, or was stopped.",
        "Look at its log and its process; it can be killed and resumed, and nothing is lost.",
    )


def _judge_pause(snapshot: CrawlSnapshot) -> CrawlVerdict | None:
    if not snapshot.is_paused:
        return None
    count = snapshot.summary.waiting
    return CrawlVerdict(
        CrawlState.PAUSED,
        f"The crawl is paused: no visit begins, and {count:,} URLs wait.",
        "Continue it when you want.",
        remedies=(Remedy("Go on", "go-on"),),
    )


def _judge_trap(snapshot: CrawlSnapshot) -> CrawlVerdict | None:
    for family in snapshot.families:
        is_settled = family.is_wanted or family.is_blocked
        if not is_settled and (said := _say_trap(snapshot, family)):
            return CrawlVerdict(
                CrawlState.TRAPPED,
                said,
                "Look at some of its pages; if nobody needs them, block it or put it last.",
                remedies=_trap_remedies(snapshot, family),
            )
    return None


def _say_trap(snapshot: CrawlSnapshot, family: HostFamily) -> str:
    where = f"at the address {family.name}" if family.is_address else f"of the domain {family.name}"
    waiting = snapshot.summary.waiting
    hosts = snapshot.recent_hosts if family.is_address else snapshot.hosts
    has_hosts = hosts >= _HOSTS and family.host_share >= _HOST_SHARE
    says_little = family.is_address or 2 * snapshot.urls_at_hosts < waiting
    has_urls = waiting >= _WAITING and (says_little or family.waiting_share >= _WAITING_SHARE)
    if has_hosts and has_urls:
        of = "hosts visited last" if family.is_address else "known hosts"
        count = round(family.host_share * hosts)
        return f"{count:,} of {hosts:,} {of} are {where}, and {waiting:,} URLs wait."
    has_pages = snapshot.recent_pages >= _RECENT and family.page_share >= _PAGE_SHARE
    if snapshot.is_growing and waiting >= _GROWN and has_pages:
        return (
            f"The queue grows ({waiting:,} URLs wait, {snapshot.growth_per_second or 0.0:,.0f} more each "
            f"second), and {family.page_share:.0%} of the last {snapshot.recent_pages:,} pages are {where}."
        )
    return ""


def _trap_remedies(snapshot: CrawlSnapshot, family: HostFamily) -> tuple[Remedy, ...]:
    if family.is_address:  # commands name hosts
        return (Remedy("Pause", "pause"),)
    what = f"*.{family.name}"
    return (
        Remedy(f"Block {what}", "block", what, confirm=f"Block {what}? It can be undone."),
        Remedy(f"Put {what} last", "priority", what, str(snapshot.last_level)),
        Remedy("Pause", "pause"),
    )


def _judge_idleness(snapshot: CrawlSnapshot) -> CrawlVerdict | None:
    summary = snapshot.summary
    if snapshot.pages_per_second > 0:
        return None
    if summary.wait_seconds > _PAUSE and summary.troubles and not summary.has_pages:
        return CrawlVerdict(
            CrawlState.STUCK,
            f"No page could be fetched so far: {_say_troubles(summary)}, and all hosts are on hold.",
            "Check the network, the name servers and the seeds.",
        )
    if summary.wait_seconds > _PAUSE and summary.is_over_budget:
        return CrawlVerdict(
            CrawlState.WAITING,
            "The crawl has made as many visits as its budget allows by now: the next is in "
            f"{write_duration(snapshot.wait_seconds)}.",
            "Raise revisit.visits_per_day (or revisit.visits_share) if that is too slow.",
        )
    if summary.wait_seconds > _PAUSE and summary.waiting:
        return CrawlVerdict(
            CrawlState.WAITING,
            f"All hosts with waiting URLs are in their delay: the next request is in "
            f"{write_duration(snapshot.wait_seconds)}.",
        )
    if summary.scheduled and not summary.waiting:
        when = f": the next is in {write_duration(snapshot.wait_seconds)}" * bool(
            summary.wait_seconds
        )
        return CrawlVerdict(CrawlState.WAITING, f"No page is due{when}.")
    if snapshot.idle_seconds > _IDLE and (summary.waiting or summary.in_flight):
        return CrawlVerdict(
            CrawlState.STUCK,
            f"No page has come for {write_duration(snapshot.idle_seconds)}, though {summary.waiting:,} URLs "
            f"wait: {_say_troubles(summary)}.",
            "See the log, and the hosts with most URLs.",
        )
    if not summary.pages:
        return CrawlVerdict(CrawlState.WAITING, "The crawl has just begun: no page has come yet.")
    return None


def _say_troubles(summary: Summary) -> str:
    if not summary.troubles:
        return "no attempt failed either"
    kind, count = max(summary.troubles.items(), key=lambda item: item[1])
    return f"{count:,} attempts failed with {kind}"


def _judge_speed(snapshot: CrawlSnapshot) -> CrawlVerdict | None:
    usual, now = snapshot.usual_pages_per_second, snapshot.pages_per_second
    if usual < _FAST or now >= _SLOWED * usual:
        return None
    return CrawlVerdict(
        CrawlState.SLOWING,
        f"{now:,.1f} pages/s, after {usual:,.1f}: {_say_slowness(snapshot.summary)}.",
        "More hosts make it faster: add seeds, or widen the scope; a shorter politeness.delay only for your "
        "own servers.",
    )


def _say_slowness(summary: Summary) -> str:
    hosts = "1 host has" if summary.hosts == 1 else f"{summary.hosts:,} hosts have"
    return f"{hosts} URLs, and each is asked no faster than politeness allows"


def _say_pace(snapshot: CrawlSnapshot) -> str:
    summary = snapshot.summary
    grows = ", and more come than are visited" if snapshot.is_growing else ""
    return (
        f"{snapshot.pages_per_second:,.1f} pages/s; {summary.waiting:,} URLs wait at {summary.hosts:,} "
        f"hosts{grows}."
    )


def _name_imbalance(snapshot: CrawlSnapshot) -> Iterator[str]:
    """Hosts belong to partitions by their names, so nobody can take work over."""
    parts = snapshot.partitions
    if not snapshot.is_running or snapshot.is_paused or len(parts) < 2:
        return
    most = max(parts, key=lambda one: one.waiting)
    idle = [part for part in parts if not part.waiting and not part.in_flight]
    usual = _median([part.waiting for part in parts if part is not most])
    advice = "few hosts have most URLs: a shorter delay for them, or more seeds, would help"
    if idle and most.waiting >= _OVERLOADED:
        yield (
            f"{len(idle)} of {len(parts)} partitions have nothing to do, while {most.waiting:,} URLs wait in "
            f"partition {most.number}; {advice}."
        )
    elif most.waiting >= _OVERLOADED and most.waiting > _UNEVEN * max(1.0, usual):
        yield (
            f"{most.waiting:,} URLs wait in partition {most.number}, {usual:,.0f} in a usual one; {advice}."
        )


def _median(values: Sequence[int]) -> float:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return (ordered[middle] + ordered[~middle]) / 2
