"""The way of the redundancy filter to other partitions."""

from gossamer.cluster.exchange import Exchange
from gossamer.cluster.message_kinds import Topic
from gossamer.core.url import owner_of


class MirrorSender:
    """Sends what one partition has to say of mirrors."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def is_own(self, host: str) -> bool:
        return owner_of(host, self._exchange.partitions) == self._exchange.partition

    def send(self, host: str, message: bytes) -> None:
        """Send it to the owner of a host, of another partition, soon: meanwhile a mirror is crawled."""
        owner = owner_of(host, self._exchange.partitions)
        if owner != self._exchange.partition:
            self._exchange.send(owner, Topic.MIRRORS, message)
            self._exchange.is_awaited = True
