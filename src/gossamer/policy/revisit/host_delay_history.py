"""Visits a day that politeness allows: of each host, by the delay that it had last."""

import msgspec
from xxhash import xxh3_64_intdigest

_MOST_HOSTS = 1 << 16
"""Hosts that are kept by name. Of more, one in two, four, … is, and stands for as many."""
_LEAST_DELAY = 1e-3
"""Seconds: nobody is asked more often than that."""


class HostDelayHistory:
    """Sums up what the hosts of a crawl allow, in bounded memory (adaptive sampling: Flajolet, 1990).

    >>> delays = HostDelayHistory(day=86_400.0)
    >>> delays.note("a.test", 10.0), delays.note("b.test", 30.0), delays.note("b.test", 20.0)
    (None, None, None)
    >>> round(delays.visits_per_day)
    12960
    """

    def __init__(self, day: float, state: bytes = b"", most: int = _MOST_HOSTS) -> None:
        self._day, self._most = day, most
        self._step, self._delays = _decode(state) if state else (1, {})
        self._per_second = sum(1 / delay for delay in self._delays.values())

    @property
    def visits_per_day(self) -> float:
        """As many as all hosts allow together."""
        return self._step * self._per_second * self._day

    def note(self, host: str, delay: float) -> None:
        """A host may be asked again this many seconds after the last request to it began."""
        key = xxh3_64_intdigest(host.encode())
        if key % self._step:
            return
        delay = max(delay, _LEAST_DELAY)
        if (before := self._delays.get(key)) is not None:
            self._per_second -= 1 / before
        self._delays[key] = delay
        self._per_second += 1 / delay
        if len(self._delays) > self._most:
            self._halve()

    def _halve(self) -> None:
        self._step *= 2
        self._delays = {key: delay for key, delay in self._delays.items() if not key % self._step}
        self._per_second = sum(1 / delay for delay in self._delays.values())

    def dump(self) -> bytes:
        return _encode((self._step, self._delays))


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[int, dict[int, float]]).decode
