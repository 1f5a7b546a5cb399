"""Visits a day that politeness allows: of each host, by the delay that it had last."""

import msgspec
from xxhash import xxh3_64_intdigest

_MOST_HOSTS = 1 << 16
"""Hosts that are kept by name. Of more, one in two, four, … is, and stands for as many."""
_LEAST_DELAY = 1e-3
"""Seconds: nobody is asked more often than that."""


class HostDelayHistory:
    """Sums up what the hosts of a crawl allow, in bounded memory (adaptive sampling: Flajolet, 1990).

    >>> gaps = HostDelayHistory(day=86_400.0)
    >>> gaps.note("a.test", 10.0), gaps.note("b.test", 30.0), gaps.note("b.test", 20.0)
    (None, None, None)
    >>> round(gaps.visits_per_day)
    12960
    """

    def __init__(self, day: float, state: bytes = b"", most: int = _MOST_HOSTS) -> None:
        self._day, self._most = day, most
        self._step, self._gaps = _decode(state) if state else (1, {})
        self._per_second = sum(1 / gap for gap in self._gaps.values())

    @property
    def visits_per_day(self) -> float:
        """As many as all hosts allow together."""
        return self._step * self._per_second * self._day

    def note(self, host: str, gap: float) -> None:
        """A host may be asked again this many seconds after the last request to it began."""
        key = xxh3_64_intdigest(host.encode())
        if key % self._step:
            return
        gap = max(gap, _LEAST_DELAY)
        if (before := self._gaps.get(key)) is not None:
            self._per_second -= 1 / before
        self._gaps[key] = gap
        self._per_second += 1 / gap
        if len(self._gaps) > self._most:
            self._halve()

    def _halve(self) -> None:
        self._step *= 2
        self._gaps = {key: gap for key, gap in self._gaps.items() if not key % self._step}
        self._per_second = sum(1 / gap for gap in self._gaps.values())

    def dump(self) -> bytes:
        return _encode((self._step, self._gaps))


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[int, dict[int, float]]).decode
