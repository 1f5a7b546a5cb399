"""Hosts without URLs behind the front queues that may not be asked yet."""

_FEW = 1024


class DelayedHosts:
    """Until when such hosts rest. Those whose time has come are dropped now and then.

    >>> delayed = DelayedHosts()
    >>> delayed.add("a.test", until=5.0, now=0.0)
    >>> delayed.get("a.test", 0.0), delayed.pop("a.test", 1.0), delayed.pop("a.test", 1.0)
    (5.0, 5.0, 1.0)
    """

    def __init__(self) -> None:
        self.times: dict[str, float] = {}
        self.changed: set[str] = set()
        """Hosts that came or went since the last checkpoint."""
        self._most = _FEW

    def __len__(self) -> int:
        return len(self.times)

    def get(self, name: str, default: float) -> float:
        return self.times.get(name, default)

    def pop(self, name: str, default: float) -> float:
        found = self.times.pop(name, None)
        if found is None:
            return default
        self.changed.add(name)
        return found

    def add(self, name: str, until: float, now: float) -> None:
        """Remember a host's time. Dropping others whenever there are twice as many is cheap per host."""
        self.times[name] = until
        self.changed.add(name)
        if len(self.times) > self._most:
            over = [host for host, at in self.times.items() if at <= now]
            for host in over:
                del self.times[host]
            self.changed.update(over)
            self._most = 2 * len(self.times) + _FEW
