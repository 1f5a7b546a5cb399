"""Politeness across a crash: who may have been asked last, and when, is not wholly known.

What ended before the last commit is recorded, with the time until which each host ready_times. Between that
commit and the crash any host may have been asked. How long that can have been is recorded, too: when a
commit takes longer than thought, no visit begins before the next one. So nobody is asked
until the delay that such a visit would have called for is over, counted from the latest time it can
have ended. Visits that were under way at the commit may have taken longer; they are known by name.

A visit that began in time may also have ended late: a process that waits for its disk makes no commit, and
nothing says when it died. So the least delay is counted from `ended` as well: from now, or from when the
visit was over in any case.
"""

from collections.abc import Iterable

from gossamer.core.settings import PolitenessSettings

UNSEEN = 2.0
"""Seconds for which a crawl may begin visits after a commit, on a disk that is quick."""


def delay_unknown_hosts(
    committed: float,
    settings: PolitenessSettings,
    longest: float = 0.0,
    unseen: float = UNSEEN,
    ended: float = 0.0,
) -> float:
    """Until when nobody is asked, after a crash that followed a commit at this time.

    `longest` is the longest delay that budgets ask for, `unseen` for how long visits may have begun, `ended`
    the latest time at which one can have ended.

    >>> delay_unknown_hosts(100.0, PolitenessSettings(delay=5.0, factor=1.0))
    107.0
    >>> delay_unknown_hosts(100.0, PolitenessSettings(delay=5.0, factor=1.0), ended=130.0)
    135.0
    >>> delay_unknown_hosts(100.0, PolitenessSettings(delay=0.0))
    0.0
    """
    if not settings.delay or not committed:
        return 0.0
    delay = max(settings.delay, settings.factor * unseen, longest)
    least = max(settings.delay, longest)
    return max(
        committed + unseen + min(delay, settings.ceiling), ended + min(least, settings.ceiling)
    )


def delay_known_hosts(
    committed: float,
    in_flight: dict[str, float],
    crawl_delays: Iterable[tuple[str, float]],
    settings: PolitenessSettings,
    unseen: float = UNSEEN,
    ended: float = 0.0,
) -> dict[str, float]:
    """Until when hosts rest that may need longer: those being asked, and those with a Crawl-delay.

    `in_flight` says since when a host had been asked at the commit, `ended` when the last request can have
    ended.

    >>> delay_known_hosts(100.0, {"a.test": 90.0}, [("b.test", 30.0)], PolitenessSettings(factor=2.0))
    {'a.test': 126.0, 'b.test': 132.0}
    """
    if not settings.delay or not committed:
        return {}
    end = committed + unseen
    ready_times = {
        host: end + min(settings.factor * (end - started), settings.ceiling)
        for host, started in in_flight.items()
    }
    for host, delay in crawl_delays:
        latest = max(end, ended) + min(delay, settings.ceiling)
        ready_times[host] = max(ready_times.get(host, 0.0), latest)
    return ready_times
